//! Writes values as JSON text that is held to a plan meanwhile: what most events and results are, without a
//! [`Value`](serde_json::Value) in between. What a plan does not take is for [`to_json`](super::to_json),
//! and for the schema itself, which says what is wrong.

use super::integers::Whole;
use super::plan::{List, Object, Plan};
use serde::Serialize;
use serde::ser::{
    Error, Impossible, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, SerializeTupleStruct,
    Serializer,
};
use serde_json::Number;
use std::fmt;
use std::io::Write as _;

/// Adds a value as peers read it; whether the plan takes it. What is there otherwise is of no use.
pub(crate) fn written<T: Serialize + ?Sized>(value: &T, plan: &Plan, out: &mut Vec<u8>) -> bool {
    value.serialize(Writer { plan, out }).unwrap_or(false)
}

/// The plan does not take it.
#[derive(Debug)]
struct Unplanned;

impl fmt::Display for Unplanned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is not as planned")
    }
}

impl std::error::Error for Unplanned {}

impl Error for Unplanned {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// Whether something stands there: null, where the plan has none, stands for what is left out.
type Written = Result<bool, Unplanned>;

struct Writer<'a> {
    plan: &'a Plan,
    out: &'a mut Vec<u8>,
}

impl<'a> Writer<'a> {
    /// The plan of what is not null.
    fn plan(&self) -> &'a Plan {
        match self.plan {
            Plan::Nullable(plan) => plan,
            plan => plan,
        }
    }

    fn put<T: Serialize + ?Sized>(self, value: &T) -> Written {
        serde_json::to_writer(self.out, value).map_or(Err(Unplanned), |()| Ok(true))
    }

    fn number(self, number: Number) -> Written {
        match self.plan() {
            Plan::Integer(bounds) if !number.is_f64() && bounds.take(&number) => self.put(&number),
            Plan::Number(bounds) if bounds.take(&number) => self.put(&number),
            Plan::Large(bounds) => {
                let whole = Whole::of(&number).filter(|whole| bounds.contain(*whole)).ok_or(Unplanned)?;
                write!(self.out, "\"{whole}\"").map_or(Err(Unplanned), |()| Ok(true))
            }
            _ => Err(Unplanned),
        }
    }

    fn list(self) -> Result<Items<'a>, Unplanned> {
        let Plan::List(plan) = self.plan() else { return Err(Unplanned) };
        self.out.push(b'[');
        Ok(Items { plan, out: self.out, count: 0 })
    }

    fn object(self) -> Result<Members<'a>, Unplanned> {
        let Plan::Object(plan) = self.plan() else { return Err(Unplanned) };
        self.out.push(b'{');
        Ok(Members { plan, out: self.out, seen: 0, is_first: true, key: None })
    }
}

macro_rules! numbers {
    ($($method:ident $type:ty)*) => {$(
        fn $method(self, value: $type) -> Written {
            self.number(Number::from(value))
        }
    )*};
}

impl<'a> Serializer for Writer<'a> {
    type Ok = bool;
    type Error = Unplanned;
    type SerializeSeq = Items<'a>;
    type SerializeTuple = Items<'a>;
    type SerializeTupleStruct = Items<'a>;
    type SerializeTupleVariant = Impossible<bool, Unplanned>;
    type SerializeMap = Members<'a>;
    type SerializeStruct = Members<'a>;
    type SerializeStructVariant = Impossible<bool, Unplanned>;

    numbers! {
        serialize_i8 i8 serialize_i16 i16 serialize_i32 i32 serialize_i64 i64
        serialize_u8 u8 serialize_u16 u16 serialize_u32 u32 serialize_u64 u64
    }

    fn serialize_i128(self, value: i128) -> Written {
        self.number(Number::from_i128(value).ok_or(Unplanned)?)
    }

    fn serialize_u128(self, value: u128) -> Written {
        self.number(Number::from_u128(value).ok_or(Unplanned)?)
    }

    fn serialize_f32(self, value: f32) -> Written {
        match self.plan() {
            Plan::Number(bounds) if value.is_finite() => {
                // The shortest text, not that of the nearest double.
                let start = self.out.len();
                serde_json::to_writer(&mut *self.out, &value).map_err(|_| Unplanned)?;
                let number: Number = serde_json::from_slice(&self.out[start..]).map_err(|_| Unplanned)?;
                if bounds.take(&number) { Ok(true) } else { Err(Unplanned) }
            }
            _ => Err(Unplanned),
        }
    }

    fn serialize_f64(self, value: f64) -> Written {
        match self.plan() {
            Plan::Number(_) => self.number(Number::from_f64(value).ok_or(Unplanned)?),
            _ => Err(Unplanned),
        }
    }

    fn serialize_bool(self, value: bool) -> Written {
        match self.plan() {
            Plan::Bool => self.put(&value),
            _ => Err(Unplanned),
        }
    }

    fn serialize_str(self, value: &str) -> Written {
        match self.plan() {
            Plan::Text(rules) if rules.take(value) => self.put(value),
            _ => Err(Unplanned),
        }
    }

    fn serialize_char(self, value: char) -> Written {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_bytes(self, _: &[u8]) -> Written {
        Err(Unplanned)
    }

    fn serialize_none(self) -> Written {
        match self.plan {
            Plan::Nullable(_) => self.put(&()),
            _ => Ok(false),
        }
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        self.serialize_none()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        self.serialize_none()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Written {
        Err(Unplanned)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'a>, Unplanned> {
        self.list()
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'a>, Unplanned> {
        self.list()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'a>, Unplanned> {
        self.list()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Unplanned> {
        Err(Unplanned)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'a>, Unplanned> {
        self.object()
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Members<'a>, Unplanned> {
        // Those of serde_json are texts of what they hold.
        if name.starts_with("$serde_json::") { Err(Unplanned) } else { self.object() }
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Unplanned> {
        Err(Unplanned)
    }
}

struct Items<'a> {
    plan: &'a List,
    out: &'a mut Vec<u8>,
    count: u64,
}

impl Items<'_> {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unplanned> {
        let plan = self.plan.item(self.count).ok_or(Unplanned)?;
        if self.count > 0 {
            self.out.push(b',');
        }
        self.count += 1;
        let is_there = value.serialize(Writer { plan, out: self.out })?;
        if is_there { Ok(()) } else { Err(Unplanned) }
    }

    fn done(self) -> Written {
        self.out.push(b']');
        if self.plan.may_end(self.count) { Ok(true) } else { Err(Unplanned) }
    }
}

macro_rules! items {
    ($($trait:ident $method:ident)*) => {$(
        impl $trait for Items<'_> {
            type Ok = bool;
            type Error = Unplanned;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unplanned> {
                self.push(value)
            }

            fn end(self) -> Written {
                self.done()
            }
        }
    )*};
}
items! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
}

struct Members<'a> {
    plan: &'a Object,
    out: &'a mut Vec<u8>,
    /// A bit for each that stands there.
    seen: u64,
    is_first: bool,
    /// Of the value that comes.
    key: Option<String>,
}

impl Members<'_> {
    fn insert<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Unplanned> {
        let before = self.out.len();
        let (member, bit) = self.plan.find(name).filter(|(_, bit)| self.seen & bit == 0).ok_or(Unplanned)?;
        if !self.is_first {
            self.out.push(b',');
        }
        self.out.extend_from_slice(member.key.as_bytes());
        if value.serialize(Writer { plan: &member.plan, out: self.out })? {
            self.seen |= bit;
            self.is_first = false;
        } else {
            self.out.truncate(before);
        }
        Ok(())
    }

    fn done(self) -> Written {
        self.out.push(b'}');
        if self.plan.may_end(self.seen) { Ok(true) } else { Err(Unplanned) }
    }
}

impl SerializeStruct for Members<'_> {
    type Ok = bool;
    type Error = Unplanned;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Unplanned> {
        self.insert(name, value)
    }

    fn end(self) -> Written {
        self.done()
    }
}

impl SerializeMap for Members<'_> {
    type Ok = bool;
    type Error = Unplanned;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unplanned> {
        match super::to_json(key) {
            Ok(serde_json::Value::String(key)) => {
                self.key = Some(key);
                Ok(())
            }
            _ => Err(Unplanned),
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unplanned> {
        let key = self.key.take().ok_or(Unplanned)?;
        self.insert(&key, value)
    }

    fn end(self) -> Written {
        self.done()
    }
}

#[cfg(test)]
mod tests {
    use super::written;
    use crate::schema::{for_result, of, result, to_json};
    use schemars::JsonSchema;
    use serde::Serialize;
    use serde_json::Value;

    #[derive(Serialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    #[expect(dead_code, reason = "not all of them are written")]
    enum Kind {
        Orc,
        Elf,
    }

    #[derive(Serialize, JsonSchema)]
    struct Inner {
        name: String,
        at: (i16, f32),
    }

    #[derive(Serialize, JsonSchema)]
    struct Unit {
        id: u64,
        kind: Kind,
        x: f64,
        #[schemars(range(max = 9))]
        rank: u8,
        path: Vec<Option<[f32; 2]>>,
        note: Option<&'static str>,
        inner: Inner,
        #[serde(flatten)]
        more: More,
        letter: char,
        balance: i128,
    }

    #[derive(Serialize, JsonSchema)]
    struct More {
        is_alive: bool,
        #[serde(rename = "a-b.c")]
        odd: i8,
    }

    fn unit() -> Unit {
        Unit {
            id: u64::MAX,
            kind: Kind::Orc,
            x: -1.5e300,
            rank: 9,
            path: vec![None, Some([0.1, 16_777_216.0])],
            note: None,
            inner: Inner { name: "Ölga \"\\\u{1}".to_owned(), at: (-3, 1e10) },
            more: More { is_alive: true, odd: -1 },
            letter: 'ß',
            balance: i64::MIN.into(),
        }
    }

    /// What is written of a value with its plan, and what it is without one.
    fn both<T: Serialize + JsonSchema>(value: &T) -> (Option<Value>, Result<Value, String>) {
        let mut generator = for_result();
        let (held, form) = result(of::<T>(&mut generator), &mut generator);
        let plan = held.whole_plan().expect("it is plain");
        let mut text = Vec::new();
        let straight =
            written(value, &plan, &mut text).then(|| serde_json::from_slice(&text).expect("it is JSON"));
        let around = to_json(value).map_err(|error| error.to_string()).and_then(|value| {
            let mut value = form.of(value);
            held.hold(None, &mut value).map(|()| value)
        });
        (straight, around)
    }

    #[test]
    fn what_is_planned_is_written_as_it_is_otherwise() {
        for unit in [
            unit(),
            Unit { note: Some("x"), ..unit() },
            Unit { path: Vec::new(), balance: 0, id: 0, ..unit() },
            Unit { x: 3.0, ..unit() },
        ] {
            let (straight, around) = both(&unit);
            assert_eq!(straight, around.ok());
            assert!(straight.is_some());
        }
    }

    #[test]
    fn what_is_not_as_planned_is_left_to_the_schema() {
        for (unit, is_right) in [
            (Unit { x: f64::NAN, ..unit() }, false),
            (Unit { rank: 10, ..unit() }, false),
            (Unit { path: vec![Some([f32::INFINITY, 0.0])], ..unit() }, false),
            (Unit { balance: i128::MAX, ..unit() }, true),
        ] {
            let (straight, around) = both(&unit);
            assert_eq!((straight, around.is_ok()), (None, is_right));
        }
    }
}
