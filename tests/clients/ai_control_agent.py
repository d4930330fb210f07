"""An agent that plays the arena over AiControl with a plain socket, in another language.

usage: ai_control_agent.py HOST:PORT < TOKEN

Shows the token, looks, spawns, fights, is refused, and prints a line for each thing that happens. Exits
with 1 at the first that should not.
"""

import json
import socket
import sys
import time

address, _, port = sys.argv[1].rpartition(":")
token = sys.stdin.read().strip()


class Agent:
    """A connection. One request at a time."""

    def __init__(self):
        self.file = socket.create_connection((address, int(port)), timeout=20).makefile("rwb")
        self.count = 0
        self.seen = 0

    def line(self, line):
        self.file.write(line + b"\n")
        self.file.flush()
        answer = self.file.readline()
        assert answer.endswith(b"\n") and len(answer) <= (1 << 20) + 1, answer[:100]
        answer = json.loads(answer.decode("utf-8"))
        assert answer["jsonrpc"] == "2.0" and ("result" in answer) != ("error" in answer), answer
        return answer

    def ask(self, method, **params):
        self.count += 1
        request = {"jsonrpc": "2.0", "id": self.count, "method": method, "params": params}
        answer = self.line(json.dumps(request).encode())
        assert answer["id"] == self.count, answer
        return answer

    def result(self, method, **params):
        answer = self.ask(method, **params)
        assert "result" in answer, answer
        return answer["result"]

    def code(self, method, **params):
        answer = self.ask(method, **params)
        assert answer["error"]["message"], answer
        return answer["error"]["code"]

    def events(self):
        page = self.result("events", afterSeq=self.seen)["events"]
        for entry in page:
            assert entry["seq"] > self.seen, page
            self.seen = entry["seq"]
        return [entry["event"] for entry in page]

    def act(self, command, /, **arguments):
        """Sends a command and waits for its end; that, and what happened before it."""
        accepted = self.result("act", type=command, **arguments)
        assert accepted["accepted"] is True, accepted
        happened = []
        end = time.monotonic() + 20
        while time.monotonic() < end:
            happened += self.events()
            for event in happened:
                if event["type"] == "command_completed" and event["commandSeq"] == accepted["commandSeq"]:
                    assert isinstance(event["success"], bool) and event["message"], event
                    return event, happened
            time.sleep(0.01)
        raise AssertionError(f"{command} never ended")


agent = Agent()
print("unauthorized", agent.code("ping"))
print("wrong token", agent.result("auth", token="wrong")["authorized"])
print("right token", agent.result("auth", token=token)["authorized"])
print("ping", agent.result("ping")["ok"])
print("status", agent.result("status")["running"])

before = agent.result("observe")
print("empty", before["observation"]["entities"], before["observation"]["schemaVersion"])
print("can", " ".join(before["observation"]["availableActions"]))
spawned, _ = agent.act("world/spawn", kind="orc", at={"x": 3, "y": 3}, hp=4)
print("spawn", spawned["success"], spawned["result"]["id"])
elf, _ = agent.act("world/spawn", kind="elf", at={"x": 4, "y": 3})
blocked, _ = agent.act("world/spawn", kind="elf", at={"x": 4, "y": 3})
print("blocked", blocked["success"], blocked["message"])
after = agent.result("observe")
assert after["observationSeq"] > before["observationSeq"], after
print("seen", " ".join(entity["kind"] for entity in after["observation"]["entities"]))
attack, _ = agent.act("unit/attack", id=elf["result"]["id"], target=spawned["result"]["id"])
print("attack", attack["result"]["defeated"])
_, happened = agent.act("chat/say", text="готово")
print("said", [event["data"]["text"] for event in happened if event["type"] == "chat/said"])
crash, _ = agent.act("debug/crash")
print("crash", crash["success"])

print("no type", agent.code("act"))
print("no method", agent.code("look"))
print("no JSON", agent.line(b"{")["error"]["code"])
print("no UTF-8", agent.line(b"\xff")["error"]["code"])
print("no object", agent.line(b"[]")["error"]["code"])
print("any id", agent.line(b'{"jsonrpc":"2.0","id":{"a":[1,null]},"method":"ping","params":{}}')["id"])
