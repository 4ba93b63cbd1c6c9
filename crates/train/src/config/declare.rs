//! The two forms in which the configuration is declared. Each yields the type, its reader and writer, and its part of
//! the reference, so that none of them can say something else.

/// Declares a map of keys:
///
/// ```text
/// settings! {
///     /// What the map is.
///     pub struct Name {
///         "Heading of the reference" {
///             /// What the key does: documentation of the field and text of the reference.
///             required_key: Type; bound,
///             optional_key: Type = default; bound,
///         }
///     }
/// }
/// ```
macro_rules! settings {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident { $(
            $title:literal { $(
                $(#[doc = $doc:literal])+
                $key:ident: $ty:ty $(= $default:expr)? $(; $bound:expr)?,
            )+ }
        )+ }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name { $($(
            $(#[doc = $doc])+
            pub $key: $ty,
        )+)+ }

        impl $crate::config::setting::Setting for $name {
            fn accepts(_: $crate::config::setting::Bound) -> String {
                "a map".to_owned()
            }

            fn read(
                node: &$crate::config::source::Node,
                _: $crate::config::setting::Bound,
                at: &str,
                problems: &mut $crate::config::error::Problems,
            ) -> Option<Self> {
                use $crate::config::setting::{Keys, key_name};
                let known = [$($(key_name(stringify!($key)),)+)+];
                let mut keys = Keys::open(node, at, &known, problems)?;
                $($(
                    let $key = keys.take::<$ty>(
                        key_name(stringify!($key)),
                        settings!(@default $ty $(, $default)?),
                        settings!(@bound $($bound)?),
                    );
                )+)+
                Some(Self { $($($key: $key?,)+)+ })
            }

            fn write(&self) -> ::serde_json::Value {
                use $crate::config::setting::{Setting, key_name};
                let written = [$($((key_name(stringify!($key)), Setting::write(&self.$key)),)+)+];
                ::serde_json::Value::Object(
                    written.into_iter().filter(|(_, value)| !value.is_null()).map(|(k, v)| (k.to_owned(), v)).collect(),
                )
            }

            fn details() -> $crate::config::setting::Details {
                use $crate::config::setting::{Details, Group, KeyInfo, key_name};
                Details::Keys(vec![$(Group {
                    title: $title,
                    keys: vec![$(
                        KeyInfo::new::<$ty>(
                            key_name(stringify!($key)),
                            &[$($doc),+],
                            settings!(@default $ty $(, $default)?),
                            settings!(@bound $($bound)?),
                        ),
                    )+],
                },)+])
            }
        }
    };
    (@default $ty:ty) => { None::<$ty> };
    (@default $ty:ty, $default:expr) => { Some::<$ty>($default) };
    (@bound) => { $crate::config::setting::Bound::Any };
    (@bound $bound:expr) => { $bound };
}

/// Declares a closed set of words, each with its documentation. With `for Type` in place of `pub enum Type`, gives an
/// enum that stands elsewhere its words. Further spellings may follow the first.
macro_rules! choices {
    (
        $(#[doc = $about:literal])+
        pub enum $name:ident { $(
            $(#[doc = $doc:literal])+
            $variant:ident = $word:literal $(| $also:literal)*,
        )+ }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $(
            $(#[doc = $doc])+
            $variant,
        )+ }

        choices! { for $name { $( $(#[doc = $doc])+ $variant = $word $(| $also)*, )+ } }

        impl ::std::str::FromStr for $name {
            type Err = String;

            /// Reads a word of a command line.
            fn from_str(text: &str) -> Result<Self, String> {
                $crate::config::setting::parse(text)
            }
        }

        impl ::std::fmt::Display for $name {
            /// The word that configurations have for it.
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(match self { $(Self::$variant => $word,)+ })
            }
        }
    };
    (
        for $name:ident { $(
            $(#[doc = $doc:literal])+
            $variant:ident = $word:literal $(| $also:literal)*,
        )+ }
    ) => {
        impl $crate::config::setting::Scalar for $name {
            fn noun(_: $crate::config::setting::Bound) -> String {
                $crate::config::spelling::alternatives([$($word),+])
            }

            fn parse(text: &str, _: bool) -> Option<Self> {
                match text {
                    $($word $(| $also)* => Some(Self::$variant),)+
                    _ => None,
                }
            }

            fn value(&self) -> ::serde_json::Value {
                $crate::config::source::plain_scalar(match self { $(Self::$variant => $word,)+ })
            }

            fn choices() -> Vec<(&'static str, String)> {
                vec![$(($word, $crate::config::setting::sentence(&[$($doc),+])),)+]
            }
        }
    };
}

pub(crate) use {choices, settings};
