//! What the scan knows how to find: one row a rule. The order is the order of specificity: where two findings lie on the same
//! bytes, the one whose rule stands first here is kept.

/// What a finding is about. It decides what a person is asked to do with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Credential,
    PersonalData,
    Environment,
    Dependency,
}

impl Kind {
    pub const ALL: [Self; 4] = [Self::Credential, Self::PersonalData, Self::Environment, Self::Dependency];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Credential => "credential",
            Self::PersonalData => "personal-data",
            Self::Environment => "environment",
            Self::Dependency => "dependency",
        }
    }

    /// The next step that a message ends with.
    pub(super) fn next_step(self) -> &'static str {
        match self {
            Self::Credential => "Take it out and rotate it, or acknowledge it with a reason.",
            Self::PersonalData => "Take it out or put an invented one in its place, or acknowledge it with a reason.",
            Self::Environment => "Move it to a setting, or acknowledge it with a reason.",
            Self::Dependency => "Pin it, or acknowledge it with a reason.",
        }
    }
}

/// One thing that the scan knows how to find.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// Stable: allow comments and acknowledgements name it.
    pub id: &'static str,
    pub kind: Kind,
    /// With its article, as it stands in a sentence.
    pub what: &'static str,
}

impl Rule {
    /// Where it stands among the rules: lower is more specific.
    pub(super) fn rank(&self) -> usize {
        RULES.iter().position(|rule| rule.id == self.id).unwrap_or(RULES.len())
    }
}

/// Every rule, the most specific first.
#[must_use]
pub fn rules() -> &'static [Rule] {
    RULES
}

macro_rules! rules {
    ($($kind:ident { $($name:ident $id:literal $what:literal)* })*) => {
        $($(pub(super) const $name: Rule = Rule { id: $id, kind: Kind::$kind, what: $what };)*)*
        static RULES: &[Rule] = &[$($($name,)*)*];
    };
}

rules! {
    Credential {
        PRIVATE_KEY "private-key" "a private key"
        AWS_ACCESS_KEY_ID "aws-access-key-id" "an AWS access key id"
        AWS_SECRET_KEY "aws-secret-access-key" "an AWS secret access key"
        AWS_SESSION_TOKEN "aws-session-token" "an AWS session token"
        GITHUB_TOKEN "github-token" "a GitHub token"
        GITHUB_FINE_TOKEN "github-fine-grained-token" "a GitHub fine-grained token"
        GITLAB_TOKEN "gitlab-token" "a GitLab token"
        SLACK_TOKEN "slack-token" "a Slack token"
        SLACK_WEBHOOK "slack-webhook" "the address of a Slack webhook"
        DISCORD_WEBHOOK "discord-webhook" "the address of a Discord webhook"
        STRIPE_KEY "stripe-key" "a live Stripe key"
        STRIPE_WEBHOOK "stripe-webhook-secret" "a Stripe webhook secret"
        GOOGLE_API_KEY "google-api-key" "a Google API key"
        GOOGLE_OAUTH_SECRET "google-oauth-secret" "a Google OAuth client secret"
        GOOGLE_OAUTH_TOKEN "google-oauth-token" "a Google OAuth access token"
        GOOGLE_SERVICE_ACCOUNT "google-service-account" "the key id of a Google service account"
        ANTHROPIC_KEY "anthropic-key" "an Anthropic API key"
        OPENAI_KEY "openai-key" "an OpenAI API key"
        OPENROUTER_KEY "openrouter-key" "an OpenRouter API key"
        GROQ_KEY "groq-key" "a Groq API key"
        XAI_KEY "xai-key" "an xAI API key"
        PERPLEXITY_KEY "perplexity-key" "a Perplexity API key"
        REPLICATE_TOKEN "replicate-token" "a Replicate API token"
        NVIDIA_KEY "nvidia-key" "an NVIDIA API key"
        LANGSMITH_KEY "langsmith-key" "a LangSmith API key"
        HUGGING_FACE_TOKEN "hugging-face-token" "a Hugging Face token"
        NPM_TOKEN "npm-token" "an npm token"
        PYPI_TOKEN "pypi-token" "a PyPI token"
        RUBYGEMS_KEY "rubygems-key" "a RubyGems API key"
        CRATES_TOKEN "crates-io-token" "a crates.io token"
        CLOJARS_TOKEN "clojars-token" "a Clojars deploy token"
        SENDGRID_KEY "sendgrid-key" "a SendGrid API key"
        BREVO_KEY "brevo-key" "a Brevo API key"
        TWILIO_KEY "twilio-key" "a Twilio key or account id"
        MAILGUN_KEY "mailgun-key" "a Mailgun API key"
        MAILCHIMP_KEY "mailchimp-key" "a Mailchimp API key"
        AZURE_STORAGE_KEY "azure-storage-key" "an Azure storage account key"
        AZURE_CLIENT_SECRET "azure-client-secret" "an Azure client secret"
        DIGITALOCEAN_TOKEN "digitalocean-token" "a DigitalOcean token"
        TELEGRAM_BOT_TOKEN "telegram-bot-token" "a Telegram bot token"
        SHOPIFY_TOKEN "shopify-token" "a Shopify token"
        SQUARE_TOKEN "square-token" "a Square token"
        BRAINTREE_TOKEN "braintree-token" "a Braintree production access token"
        RAZORPAY_KEY "razorpay-key" "a live Razorpay key id"
        DATABRICKS_TOKEN "databricks-token" "a Databricks token"
        ATLASSIAN_TOKEN "atlassian-token" "an Atlassian API token"
        LINEAR_KEY "linear-key" "a Linear API key"
        NOTION_TOKEN "notion-token" "a Notion integration token"
        FIGMA_TOKEN "figma-token" "a Figma token"
        AIRTABLE_TOKEN "airtable-token" "an Airtable token"
        DOPPLER_TOKEN "doppler-token" "a Doppler token"
        DOCKER_TOKEN "docker-token" "a Docker Hub token"
        HEROKU_KEY "heroku-key" "a Heroku API key"
        PULUMI_TOKEN "pulumi-token" "a Pulumi token"
        TERRAFORM_TOKEN "terraform-token" "a Terraform Cloud token"
        VAULT_TOKEN "vault-token" "a HashiCorp Vault token"
        POSTMAN_KEY "postman-key" "a Postman API key"
        PLANETSCALE_TOKEN "planetscale-token" "a PlanetScale token or password"
        SUPABASE_TOKEN "supabase-token" "a Supabase token"
        NEW_RELIC_KEY "new-relic-key" "a New Relic key"
        GRAFANA_TOKEN "grafana-token" "a Grafana token"
        SENTRY_TOKEN "sentry-token" "a Sentry token"
        DYNATRACE_TOKEN "dynatrace-token" "a Dynatrace token"
        HUBSPOT_TOKEN "hubspot-token" "a HubSpot private app token"
        CLOUDFLARE_KEY "cloudflare-origin-key" "a Cloudflare origin CA key"
        CONTENTFUL_TOKEN "contentful-token" "a Contentful management token"
        BUILDKITE_TOKEN "buildkite-token" "a Buildkite token"
        JFROG_KEY "jfrog-key" "a JFrog API key"
        ALIBABA_KEY "alibaba-access-key-id" "an Alibaba Cloud access key id"
        FIREBASE_KEY "firebase-messaging-key" "a Firebase messaging key"
        AGE_KEY "age-secret-key" "an age secret key"
        ONE_PASSWORD_TOKEN "onepassword-token" "a 1Password service account token"
        JWT "json-web-token" "a JSON web token"
        CONNECTION_STRING "connection-string-password" "a connection string with a password"
        AUTHORIZATION "authorization-header" "an authorization header with its value"
        HARDCODED_PASSWORD "hardcoded-password" "a password"
        HARDCODED_SECRET "hardcoded-secret" "a secret"
        LONG_LINE "long-line" "a line that is too long to be looked at whole"
        NOT_LOOKED_AT "not-looked-at" "content that was too much to look through"
        TOO_MANY "too-many-findings" "more findings than are told"
    }
    PersonalData {
        IBAN "iban" "an IBAN"
        PAYMENT_CARD "payment-card" "a payment card number"
        FRENCH_NIR "french-nir" "a French social security number"
        ITALIAN_CODE "italian-codice-fiscale" "an Italian codice fiscale"
        GERMAN_TAX_ID "german-tax-id" "a German tax identification number"
        SPANISH_DNI "spanish-dni" "a Spanish DNI or NIE"
        UK_NINO "uk-nino" "a UK national insurance number"
        US_SSN "us-ssn" "a US social security number"
        MAIL_ADDRESS "mail-address" "a person's mail address"
        PHONE_NUMBER "phone-number" "a phone number"
    }
    Environment {
        CLOUD_ARN "aws-arn" "an ARN with an account number"
        HOME_PATH "home-path" "a path in somebody's home folder"
        PRODUCTION_PATH "production-path" "a path of a server"
        PRODUCTION_HOST "production-host" "the name of a production or internal host"
        PRIVATE_ADDRESS "private-address" "an IPv4 address of a private network"
        PUBLIC_ADDRESS "public-address" "a public IPv4 address"
        ENVIRONMENT_NAME "environment-name" "a hard-coded production environment"
    }
    Dependency {
        CARGO_UNPINNED "cargo-unpinned" "a crate without a version"
        NPM_UNPINNED "npm-unpinned" "an npm package without a version"
        NPM_RANGED "npm-ranged" "an npm package with a range of versions"
        PYTHON_UNPINNED "python-unpinned" "a Python package without a version"
        PYTHON_RANGED "python-ranged" "a Python package with a range of versions"
        GO_UNPINNED "go-unpinned" "a Go module without a version"
        GEM_UNPINNED "gem-unpinned" "a gem without an exact version"
        MAVEN_UNPINNED "maven-unpinned" "a Maven artifact without a fixed version"
        IMAGE_UNPINNED "image-unpinned" "a base image without a fixed tag"
        ACTION_UNPINNED "action-unpinned" "an action that is not pinned to a commit"
    }
}
