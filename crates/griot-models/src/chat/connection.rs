//! Where the model is and how it is addressed, from the settings. Combinations that cannot work are refused
//! here, with the setting that helps.

use griot::engine::{ModelProvider, ModelSettings, RerankProvider};
use url::Url;

use super::failure::{Failure, FailureKind};
use super::key::Key;

/// What is asked for, and of which provider.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Service {
    Chat(ModelProvider),
    Vectors(ModelProvider),
    Ranks(RerankProvider),
}

impl Service {
    /// The provider of a model; those of ranks have other interfaces.
    pub(crate) fn model(self) -> Option<ModelProvider> {
        match self {
            Self::Chat(provider) | Self::Vectors(provider) => Some(provider),
            Self::Ranks(_) => None,
        }
    }

    /// What the provider is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Chat(provider) | Self::Vectors(provider) => provider.name(),
            Self::Ranks(provider) => provider.name(),
        }
    }

    /// The full name of a setting.
    pub(crate) fn setting(self, name: &str) -> String {
        let section = match self {
            Self::Chat(_) => "model",
            Self::Vectors(_) => "embedder",
            Self::Ranks(_) => "reranker",
        };
        format!("{section}.{name}")
    }

    /// The provider's own address, and the variable that usually holds its key.
    fn own(self) -> (Option<&'static str>, Option<&'static str>) {
        let (url, variable) = match self {
            Self::Chat(provider) | Self::Vectors(provider) => match provider {
                ModelProvider::Openai => ("https://api.openai.com/v1", "OPENAI_API_KEY"),
                // Each customer has an address.
                ModelProvider::Azure => ("", "AZURE_OPENAI_API_KEY"),
                ModelProvider::Anthropic => ("https://api.anthropic.com", "ANTHROPIC_API_KEY"),
                ModelProvider::Gemini => ("https://generativelanguage.googleapis.com", "GEMINI_API_KEY"),
                ModelProvider::Ollama => ("http://127.0.0.1:11434", ""),
                ModelProvider::Off => ("", ""),
            },
            Self::Ranks(RerankProvider::Cohere) => ("https://api.cohere.com/v2", "CO_API_KEY"),
            Self::Ranks(RerankProvider::Jina) => ("https://api.jina.ai/v1", "JINA_API_KEY"),
            Self::Ranks(RerankProvider::Voyage) => ("https://api.voyageai.com/v1", "VOYAGE_API_KEY"),
            // Each owner has an address.
            Self::Ranks(_) => ("", ""),
        };
        let known = |text: &'static str| Some(text).filter(|text| !text.is_empty());
        (known(url), known(variable))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Connection {
    pub(crate) service: Service,
    /// Without a slash at its end.
    pub(crate) base: Url,
    pub(crate) model: String,
    pub(crate) key: Option<Key>,
}

fn wrong(why: impl Into<String>, hint: impl Into<String>) -> Failure {
    Failure::new(FailureKind::Misconfigured, why).hint(hint)
}

impl Connection {
    pub(crate) fn new(settings: &ModelSettings, service: Service) -> Result<Self, Failure> {
        let off = match service {
            Service::Chat(ModelProvider::Off) => Some("language model"),
            Service::Vectors(ModelProvider::Off) => Some("server for vectors"),
            _ => None,
        };
        if let Some(what) = off {
            let hint = format!(
                "griot config set {} ollama, and {} NAME; docs/guides/models.md lists the providers",
                service.setting("provider"),
                service.setting("name")
            );
            return Err(Failure::new(FailureKind::Off, format!("no {what} is set")).hint(hint));
        }
        if service == Service::Vectors(ModelProvider::Anthropic) {
            return Err(wrong(
                "`anthropic` has no interface for vectors",
                "griot config set embedder.provider openai, or another provider of docs/guides/models.md",
            ));
        }
        if settings.flex && matches!(service, Service::Chat(provider) if provider != ModelProvider::Openai) {
            let why = format!("`{}` has no tier `flex`", service.name());
            return Err(wrong(why, "griot config set model.flex false"));
        }
        let set = |name: &str, value: &str| format!("griot config set {} {value}", service.setting(name));
        let model = settings.name.trim();
        if model.is_empty() && service != Service::Ranks(RerankProvider::Tei) {
            return Err(wrong(format!("`{}` is not set", service.setting("name")), set("name", "NAME")));
        }
        let base = address(service, &settings.url)?;
        let (own_url, variable) = service.own();
        // Another server must not get a key that is meant for the provider, and no one on the way.
        let is_own = own_url
            .is_some_and(|own| Url::parse(own).is_ok_and(|own| own.origin() == base.origin()))
            || service.model() == Some(ModelProvider::Azure) && is_of_azure(&base);
        let key = key(settings, variable.filter(|_| is_own), service)?;
        let connection = Self { service, base, model: model.to_string(), key };
        match service {
            Service::Chat(_) => {
                check_budgets(settings, service)?;
                check_context(settings)?;
            }
            // A model on this machine may cost nothing.
            _ if connection.is_local() => {}
            // A server of one's own.
            Service::Ranks(RerankProvider::Tei) => {}
            _ => check_budgets(settings, service)?,
        }
        Ok(connection)
    }

    pub(crate) fn name(&self) -> &'static str {
        self.service.name()
    }

    /// The address of a path below the base.
    pub(crate) fn at(&self, path: &[&str]) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path);
        }
        url
    }

    /// The host is one of these, or a part of one.
    pub(crate) fn is_at(&self, host: &str) -> bool {
        self.base.host_str().is_some_and(|own| own == host || own.ends_with(&format!(".{host}")))
    }

    pub(crate) fn is_local(&self) -> bool {
        match self.base.host() {
            Some(url::Host::Ipv4(address)) => address.is_loopback(),
            Some(url::Host::Ipv6(address)) => address.is_loopback(),
            Some(url::Host::Domain(name)) => name == "localhost",
            None => false,
        }
    }
}

/// Whether the address is a customer's one for models. Other names below azure.com belong to anyone.
fn is_of_azure(base: &Url) -> bool {
    const ENDS: [&str; 3] = [".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com"];
    base.scheme() == "https" && base.host_str().is_some_and(|host| ENDS.iter().any(|end| host.ends_with(end)))
}

/// The address that is set, or the provider's own one; without a path that belongs to the interface.
pub(crate) fn address(service: Service, url: &str) -> Result<Url, Failure> {
    let (given, name) = (Some(url.trim()).filter(|url| !url.is_empty()), service.setting("url"));
    let text = given.or(service.own().0).ok_or_else(|| {
        let example = match service {
            Service::Ranks(_) => "http://127.0.0.1:8080",
            _ => "https://NAME.openai.azure.com/openai/v1",
        };
        wrong(
            format!("`{}` has no address of its own, and `{name}` is not set", service.name()),
            format!("griot config set {name} {example}"),
        )
    })?;
    let wrong = |why: &str| wrong(format!("`{name}` {why}"), format!("griot config set {name} ADDRESS"));
    let mut url = Url::parse(text).map_err(|error| wrong(&format!("is no address: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Err(wrong("begins with neither `https://` nor `http://`"));
    }
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
        let (env, file) = (service.setting("key_env"), service.setting("key_file"));
        return Err(wrong(&format!("holds a password or parameters; keys belong in `{env}` or `{file}`")));
    }
    url.set_fragment(None);
    let path = url.path().trim_end_matches('/');
    let path = match service.model() {
        None => {
            let usual = service.own().0.and_then(|own| Url::parse(own).ok());
            match path.strip_suffix("/rerank").unwrap_or(path) {
                "" => &usual.map_or_else(String::new, |own| own.path().to_string()),
                path => path,
            }
        }
        Some(provider @ (ModelProvider::Openai | ModelProvider::Azure)) => {
            let path = path.strip_suffix("/chat/completions").unwrap_or(path);
            let path = path.strip_suffix("/embeddings").unwrap_or(path);
            match (path, provider) {
                ("", ModelProvider::Azure) => "/openai/v1",
                ("", _) => "/v1",
                (path, _) => path,
            }
        }
        Some(ModelProvider::Anthropic) => {
            path.strip_suffix("/messages").unwrap_or(path).trim_end_matches("/v1")
        }
        Some(ModelProvider::Gemini) => path.trim_end_matches("/v1beta"),
        Some(ModelProvider::Ollama) => {
            path.trim_end_matches("/embed").trim_end_matches("/v1").trim_end_matches("/api")
        }
        Some(ModelProvider::Off) => path,
    };
    let path = path.to_string();
    url.set_path(&path);
    Ok(url)
}

fn key(settings: &ModelSettings, usual: Option<&str>, service: Service) -> Result<Option<Key>, Failure> {
    let variable = settings.key_env.trim();
    let (env, file) = (service.setting("key_env"), service.setting("key_file"));
    match (variable.is_empty(), settings.key_file.as_os_str().is_empty()) {
        (false, false) => {
            Err(wrong(format!("`{env}` and `{file}` are both set"), format!("griot config set {file} \"\"")))
        }
        (false, true) => {
            if variable.contains(['=', '\0']) {
                return Err(wrong(format!("`{env}` is no name of a variable"), "use its name, not the key"));
            }
            Key::of_variable(variable)?.map(Some).ok_or_else(|| {
                // Not the name: some write the key itself here.
                wrong(
                    format!("the environment variable that `{env}` names is not set"),
                    format!("export it where griot runs, or use {file}"),
                )
            })
        }
        (true, false) => Key::of_file(&settings.key_file, &file).map(Some),
        (true, true) => match usual {
            None => Ok(None),
            Some(usual) => Key::of_variable(usual)?.map(Some).ok_or_else(|| {
                wrong(
                    format!("there is no key: `{usual}` is not set"),
                    format!("export {usual}, or griot config set {file} PATH"),
                )
            }),
        },
    }
}

fn check_budgets(settings: &ModelSettings, service: Service) -> Result<(), Failure> {
    let has_price = settings.input_price > 0.0 || settings.output_price > 0.0;
    for (name, limit) in [("run_cost", settings.run_cost), ("day_cost", settings.day_cost)] {
        if limit > 0.0 && !has_price {
            return Err(wrong(
                format!("`model.{name}` limits money, and no price is set"),
                match service {
                    Service::Chat(_) => {
                        "griot config set model.input_price PRICE, and model.output_price".to_string()
                    }
                    _ => format!("griot config set {} PRICE", service.setting("price")),
                },
            ));
        }
    }
    Ok(())
}

/// Ollama drops the beginning of a request that does not fit, and with it the task.
fn check_context(settings: &ModelSettings) -> Result<(), Failure> {
    /// Tokens of the task and of what surrounds the texts.
    const FRAME: usize = 1000;
    let needed = settings.context_tokens + settings.max_output_tokens + FRAME;
    if settings.provider == ModelProvider::Ollama && needed > settings.num_ctx {
        return Err(wrong(
            format!(
                "`model.num_ctx` is {}, and `model.context_tokens` and `model.max_output_tokens` need \
                 {needed}",
                settings.num_ctx
            ),
            format!("griot config set model.num_ctx {needed}"),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_providers_own_address_gets_its_usual_key() {
        let is = |url: &str| is_of_azure(&Url::parse(url).expect("an address"));
        assert!(is("https://me.openai.azure.com/openai/v1"));
        for url in [
            "http://me.openai.azure.com/openai/v1",
            "https://me.westeurope.cloudapp.azure.com/openai/v1",
            "https://openai.azure.com.example.org/openai/v1",
        ] {
            assert!(!is(url), "{url}");
        }
        for url in ["http://api.openai.com/v1", "https://api.openai.com:8443/v1"] {
            let settings = ModelSettings {
                provider: ModelProvider::Openai,
                name: "m".into(),
                url: url.into(),
                ..ModelSettings::default()
            };
            let service = Service::Chat(settings.provider);
            let connection = Connection::new(&settings, service).expect("it needs no key");
            assert!(connection.key.is_none(), "{url}");
        }
    }
}
