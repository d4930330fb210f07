"""An agent that plays the arena over AICC, in another language and with a WebSocket of other people's.

usage: aicc_agent.py HOST:PORT < TOKEN

Spawns, moves, fights, hears of it, loses its connection and takes its session up again, and prints a
line for each thing that happens. Exits with 1 at the first that should not.
"""

import asyncio
import json
import sys
import uuid

import websockets
from websockets.asyncio.client import connect

PROTOCOL = "aicc/0.1"


class Agent:
    """One session, whichever connection it has."""

    def __init__(self, socket, session=None):
        self.socket = socket
        self.session = session
        self.events = []

    async def send(self, kind, **members):
        message = {
            "protocol": PROTOCOL,
            "type": kind,
            "session_id": self.session,
            "message_id": str(uuid.uuid4()),
            **members,
        }
        await self.socket.send(json.dumps(message))

    async def read(self):
        message = json.loads(await asyncio.wait_for(self.socket.recv(), 20))
        assert message["protocol"] == PROTOCOL, message
        uuid.UUID(message["message_id"])
        return message

    async def answer(self):
        """The next message that is neither an event nor a heartbeat."""
        while True:
            message = await self.read()
            if message["type"] == "event":
                self.events.append(message)
            elif message["type"] != "heartbeat":
                return message

    async def begin(self):
        init = await self.answer()
        assert init["type"] == "session_init", init
        self.session = init["session_id"]
        return init

    async def call(self, tool, **arguments):
        call = str(uuid.uuid4())
        await self.send("tool_call", call_id=call, tool=tool, input=arguments)
        result = await self.answer()
        assert result["type"] == "tool_result" and result["call_id"] == call, result
        assert ("output" in result) == result["ok"] and ("error" in result) != result["ok"], result
        return result

    async def event(self, topic):
        """The next event of that topic."""
        while True:
            for index, event in enumerate(self.events):
                if event["topic"] == topic:
                    return self.events.pop(index)
            message = await self.read()
            assert message["type"] in ("event", "heartbeat"), message
            if message["type"] == "event":
                self.events.append(message)


def show(name, value):
    print(name, value if isinstance(value, str) else json.dumps(value, sort_keys=True), flush=True)


async def refused(url, **options):
    try:
        async with connect(url, **options):
            return "let in"
    except websockets.InvalidStatus as refusal:
        return str(refusal.response.status_code)


async def play(address, token):
    url = f"ws://{address}/aicc"
    bearer = {"additional_headers": {"Authorization": f"Bearer {token}"}}

    show("no-token", await refused(url))
    show("wrong-token", await refused(url, additional_headers={"Authorization": "Bearer wrong"}))
    show("wrong-path", await refused(f"ws://{address}/", **bearer))
    show("foreign-origin", await refused(url, origin="https://example.com", **bearer))

    subprotocols = ["aicc.0.1", f"bearer.{token}"]
    async with connect(f"{url}?model=edge_medium&events=state_change,tick", subprotocols=subprotocols) as socket:
        show("subprotocol", socket.subprotocol)
        agent = Agent(socket)
        init = await agent.begin()
        show("world", init["world"])
        show("model", init["agent_model"])
        show("spawn-class", next(tool["class"] for tool in init["tools"] if tool["id"] == "world_spawn"))

        spawned = await agent.call("world_spawn", kind="orc", at={"x": 4, "y": 4})
        show("orc", spawned["output"])
        await agent.call("world_spawn", kind="elf", at={"x": 4, "y": 5})
        wall = await agent.call("world_spawn", kind="orc", at={"x": 5, "y": 4})
        show("wall", [wall["error"]["code"], wall["error"]["retryable"]])
        wrong = await agent.call("world_spawn", kind="dragon", at={"x": 0, "y": 0})
        show("dragon", wrong["error"]["code"])
        unknown = await agent.call("world_spwan", kind="orc")
        show("spwan", [unknown["error"]["code"], "world_spawn" in unknown["error"]["message"]])
        show("crash", (await agent.call("debug_crash"))["error"]["code"])

        await agent.call("chat_say", text="hello")
        event = await agent.event("state_change")
        show("heard", [event["payload"]["channel"], event["payload"]["data"]["text"]])
        first = (await agent.event("tick"))["payload"]["tick"]
        later = (await agent.event("tick"))["payload"]["tick"]
        show("ticks-grow", later > first)

        await socket.send("{")
        show("broken", (await agent.answer())["error"]["code"])
        # It is still asleep when its agent has gone.
        await agent.send("tool_call", call_id="asleep", tool="debug_sleep", input={"ms": 300})
        await agent.send("manifest_request")
        await agent.answer()
        socket.transport.abort()

    async with connect(url, **bearer) as socket:
        again = Agent(socket)
        await again.begin()
        again.session = agent.session
        await again.send("session_resume")
        show("resumed", (await again.begin())["session_id"] == agent.session)
        show("asleep", (await again.answer())["ok"])
        look = await again.call("world_look")
        show("there", [entity["kind"] for entity in look["output"]["entities"]])
        await again.send("session_close", reason="done")
        try:
            while True:
                await again.read()
        except websockets.ConnectionClosed as closed:
            show("closed", str(closed.rcvd.code))

    async with connect(url, **bearer) as socket:
        agent = Agent(socket)
        await agent.begin()
        await socket.send(b"binary")
        try:
            while True:
                await agent.read()
        except websockets.ConnectionClosed as closed:
            show("binary", str(closed.rcvd.code))


asyncio.run(play(sys.argv[1], sys.stdin.read().strip()))
