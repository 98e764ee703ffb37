//! Credentials that tell by themselves what they are: a service's own prefix, then so many characters of an alphabet. The
//! shapes are what the services document about their own tokens.

use super::line::{Class, Line, is_alnum, is_base64, is_dotted, is_hex, is_lower_hex, is_name, is_upper, is_word};
use super::rules::{self, Rule};
use super::value::{self, MAX_VALUE};
use super::{Place, Spot};

pub(super) struct Shape {
    pub rule: &'static Rule,
    pub prefix: &'static str,
    body: Class,
    least: usize,
    most: usize,
}

const fn shape(rule: &'static Rule, prefix: &'static str, body: Class, least: usize, most: usize) -> Shape {
    Shape { rule, prefix, body, least, most }
}

pub(super) static SHAPES: &[Shape] = &[
    shape(&rules::AWS_ACCESS_KEY_ID, "AKIA", is_upper, 16, 16),
    shape(&rules::AWS_ACCESS_KEY_ID, "ASIA", is_upper, 16, 16),
    shape(&rules::AWS_ACCESS_KEY_ID, "ABIA", is_upper, 16, 16),
    shape(&rules::AWS_SESSION_TOKEN, "IQoJb3JpZ2lu", is_base64, 80, 2_000),
    shape(&rules::AWS_SESSION_TOKEN, "FwoGZXIvYXdz", is_base64, 80, 2_000),
    shape(&rules::GITHUB_TOKEN, "ghp_", is_alnum, 36, 255),
    shape(&rules::GITHUB_TOKEN, "gho_", is_alnum, 36, 255),
    shape(&rules::GITHUB_TOKEN, "ghu_", is_alnum, 36, 255),
    shape(&rules::GITHUB_TOKEN, "ghs_", is_dotted, 36, MAX_VALUE),
    shape(&rules::GITHUB_TOKEN, "ghr_", is_alnum, 36, 255),
    shape(&rules::GITHUB_FINE_TOKEN, "github_pat_", is_word, 60, 255),
    shape(&rules::GITLAB_TOKEN, "glpat-", is_dotted, 20, 300),
    shape(&rules::GITLAB_TOKEN, "gldt-", is_dotted, 20, 300),
    shape(&rules::GITLAB_TOKEN, "glrt-", is_dotted, 20, 300),
    shape(&rules::GITLAB_TOKEN, "glptt-", is_hex, 40, 40),
    shape(&rules::GITLAB_TOKEN, "glcbt-", is_dotted, 20, 300),
    shape(&rules::GITLAB_TOKEN, "glsoat-", is_dotted, 20, 300),
    shape(&rules::GITLAB_TOKEN, "glagent-", is_dotted, 50, 300),
    shape(&rules::SLACK_TOKEN, "xoxa-", is_name, 24, 250),
    shape(&rules::SLACK_TOKEN, "xoxb-", is_name, 24, 250),
    shape(&rules::SLACK_TOKEN, "xoxc-", is_name, 24, 250),
    shape(&rules::SLACK_TOKEN, "xoxe-", is_name, 24, 250),
    shape(&rules::SLACK_TOKEN, "xoxe.xoxp-", is_name, 24, 250),
    shape(&rules::SLACK_TOKEN, "xoxo-", is_name, 24, 250),
    shape(&rules::SLACK_TOKEN, "xoxp-", is_name, 24, 250),
    shape(&rules::SLACK_TOKEN, "xoxr-", is_name, 24, 250),
    shape(&rules::SLACK_TOKEN, "xoxs-", is_name, 24, 250),
    shape(&rules::SLACK_TOKEN, "xapp-", is_name, 40, 250),
    shape(&rules::SLACK_WEBHOOK, "hooks.slack.com/services/T", is_path, 30, 100),
    shape(&rules::SLACK_WEBHOOK, "hooks.slack.com/workflows/T", is_path, 30, 120),
    shape(&rules::DISCORD_WEBHOOK, "discord.com/api/webhooks/", is_path, 60, 150),
    shape(&rules::DISCORD_WEBHOOK, "discordapp.com/api/webhooks/", is_path, 60, 150),
    shape(&rules::STRIPE_KEY, "sk_live_", is_alnum, 16, 247),
    shape(&rules::STRIPE_KEY, "rk_live_", is_alnum, 16, 247),
    shape(&rules::STRIPE_WEBHOOK, "whsec_", is_base64, 32, 80),
    shape(&rules::GOOGLE_API_KEY, "AIza", is_name, 35, 35),
    shape(&rules::GOOGLE_OAUTH_SECRET, "GOCSPX-", is_name, 28, 28),
    shape(&rules::GOOGLE_OAUTH_TOKEN, "ya29.", is_name, 30, 1_000),
    shape(&rules::ANTHROPIC_KEY, "sk-ant-", is_name, 40, 200),
    shape(&rules::OPENAI_KEY, "sk-proj-", is_name, 40, 250),
    shape(&rules::OPENAI_KEY, "sk-svcacct-", is_name, 40, 250),
    shape(&rules::OPENAI_KEY, "sk-admin-", is_name, 40, 250),
    shape(&rules::OPENAI_KEY, "sk-", is_alnum, 48, 48),
    shape(&rules::OPENROUTER_KEY, "sk-or-v1-", is_lower_hex, 64, 64),
    shape(&rules::GROQ_KEY, "gsk_", is_alnum, 52, 52),
    shape(&rules::XAI_KEY, "xai-", is_alnum, 70, 90),
    shape(&rules::PERPLEXITY_KEY, "pplx-", is_alnum, 48, 56),
    shape(&rules::REPLICATE_TOKEN, "r8_", is_alnum, 37, 37),
    shape(&rules::NVIDIA_KEY, "nvapi-", is_name, 60, 70),
    shape(&rules::LANGSMITH_KEY, "lsv2_pt_", is_word, 43, 43),
    shape(&rules::LANGSMITH_KEY, "lsv2_sk_", is_word, 43, 43),
    shape(&rules::HUGGING_FACE_TOKEN, "hf_", is_alnum, 34, 40),
    shape(&rules::NPM_TOKEN, "npm_", is_alnum, 36, 36),
    shape(&rules::PYPI_TOKEN, "pypi-", is_name, 85, 300),
    shape(&rules::RUBYGEMS_KEY, "rubygems_", is_lower_hex, 48, 48),
    shape(&rules::CRATES_TOKEN, "cio", is_alnum, 32, 32),
    shape(&rules::CLOJARS_TOKEN, "CLOJARS_", is_lower_hex, 60, 60),
    shape(&rules::BREVO_KEY, "xkeysib-", is_name, 81, 81),
    shape(&rules::TWILIO_KEY, "SK", is_lower_hex, 32, 32),
    shape(&rules::TWILIO_KEY, "AC", is_lower_hex, 32, 32),
    shape(&rules::MAILGUN_KEY, "key-", is_lower_hex, 32, 32),
    shape(&rules::AZURE_STORAGE_KEY, "AccountKey=", is_base64, 88, 88),
    shape(&rules::AZURE_STORAGE_KEY, "SharedAccessKey=", is_base64, 44, 88),
    shape(&rules::DIGITALOCEAN_TOKEN, "dop_v1_", is_lower_hex, 64, 64),
    shape(&rules::DIGITALOCEAN_TOKEN, "doo_v1_", is_lower_hex, 64, 64),
    shape(&rules::DIGITALOCEAN_TOKEN, "dor_v1_", is_lower_hex, 64, 64),
    shape(&rules::SHOPIFY_TOKEN, "shpat_", is_hex, 32, 32),
    shape(&rules::SHOPIFY_TOKEN, "shpca_", is_hex, 32, 32),
    shape(&rules::SHOPIFY_TOKEN, "shppa_", is_hex, 32, 32),
    shape(&rules::SHOPIFY_TOKEN, "shpss_", is_hex, 32, 32),
    shape(&rules::SQUARE_TOKEN, "sq0atp-", is_name, 22, 22),
    shape(&rules::SQUARE_TOKEN, "sq0csp-", is_name, 43, 43),
    shape(&rules::BRAINTREE_TOKEN, "access_token$production$", is_dollared, 49, 49),
    shape(&rules::RAZORPAY_KEY, "rzp_live_", is_alnum, 14, 14),
    shape(&rules::DATABRICKS_TOKEN, "dapi", is_dapi, 32, 34),
    shape(&rules::ATLASSIAN_TOKEN, "ATATT3xFfGF0", is_atlassian, 60, 250),
    shape(&rules::ATLASSIAN_TOKEN, "ATBB", is_alnum, 32, 32),
    shape(&rules::LINEAR_KEY, "lin_api_", is_alnum, 40, 40),
    shape(&rules::NOTION_TOKEN, "ntn_", is_alnum, 46, 46),
    shape(&rules::FIGMA_TOKEN, "figd_", is_name, 40, 60),
    shape(&rules::AIRTABLE_TOKEN, "pat", is_dotted, 79, 79),
    shape(&rules::DOPPLER_TOKEN, "dp.pt.", is_alnum, 40, 44),
    shape(&rules::DOPPLER_TOKEN, "dp.st.", is_dotted, 40, 80),
    shape(&rules::DOPPLER_TOKEN, "dp.sa.", is_alnum, 40, 44),
    shape(&rules::DOCKER_TOKEN, "dckr_pat_", is_name, 27, 27),
    shape(&rules::DOCKER_TOKEN, "dckr_oat_", is_name, 27, 36),
    shape(&rules::HEROKU_KEY, "HRKU-AA", is_name, 58, 58),
    shape(&rules::PULUMI_TOKEN, "pul-", is_lower_hex, 40, 40),
    shape(&rules::VAULT_TOKEN, "hvs.", is_name, 24, 300),
    shape(&rules::VAULT_TOKEN, "hvb.", is_name, 80, 400),
    shape(&rules::POSTMAN_KEY, "PMAK-", is_name, 59, 59),
    shape(&rules::PLANETSCALE_TOKEN, "pscale_tkn_", is_dotted, 32, 64),
    shape(&rules::PLANETSCALE_TOKEN, "pscale_pw_", is_dotted, 32, 64),
    shape(&rules::SUPABASE_TOKEN, "sbp_", is_lower_hex, 40, 40),
    shape(&rules::SUPABASE_TOKEN, "sb_secret_", is_name, 30, 60),
    shape(&rules::NEW_RELIC_KEY, "NRAK-", is_alnum, 27, 27),
    shape(&rules::GRAFANA_TOKEN, "glsa_", is_word, 41, 41),
    shape(&rules::GRAFANA_TOKEN, "glc_eyJ", is_base64, 40, 400),
    shape(&rules::SENTRY_TOKEN, "sntryu_", is_lower_hex, 64, 64),
    shape(&rules::SENTRY_TOKEN, "sntrys_eyJ", is_sentry, 80, 400),
    shape(&rules::DYNATRACE_TOKEN, "dt0c01.", is_dotted, 89, 89),
    shape(&rules::HUBSPOT_TOKEN, "pat-na1-", is_uuid_part, 36, 36),
    shape(&rules::HUBSPOT_TOKEN, "pat-eu1-", is_uuid_part, 36, 36),
    shape(&rules::CLOUDFLARE_KEY, "v1.0-", is_uuid_part, 171, 171),
    shape(&rules::CONTENTFUL_TOKEN, "CFPAT-", is_name, 43, 43),
    shape(&rules::BUILDKITE_TOKEN, "bkua_", is_lower_hex, 40, 40),
    shape(&rules::JFROG_KEY, "AKCp", is_alnum, 69, 69),
    shape(&rules::ALIBABA_KEY, "LTAI", is_alnum, 16, 20),
    shape(&rules::AGE_KEY, "AGE-SECRET-KEY-1", is_upper, 58, 58),
    shape(&rules::ONE_PASSWORD_TOKEN, "ops_eyJ", is_base64, 200, 1_200),
];

fn is_path(byte: u8) -> bool {
    is_name(byte) || byte == b'/'
}

fn is_dollared(byte: u8) -> bool {
    is_alnum(byte) || byte == b'$'
}

fn is_dapi(byte: u8) -> bool {
    is_lower_hex(byte) || byte == b'-'
}

fn is_atlassian(byte: u8) -> bool {
    is_name(byte) || byte == b'='
}

fn is_sentry(byte: u8) -> bool {
    is_base64(byte) || byte == b'_'
}

fn is_uuid_part(byte: u8) -> bool {
    is_lower_hex(byte) || byte == b'-'
}

/// A token of that shape whose prefix begins there.
pub(super) fn find(shape: &Shape, line: Line<'_>, at: usize, place: Place) -> Option<Spot> {
    let from = at + shape.prefix.len();
    let address = shape.prefix.contains('/');
    if !address && !line.begins_word(at) {
        return None;
    }
    let mut to = line.run(from, shape.most + 1, shape.body);
    // A full stop or a dash that ends a sentence is no part of a token.
    while to > from && matches!(line.at(to - 1), b'.' | b'-') {
        to -= 1;
    }
    let body = line.part(from, to);
    if body.len() < shape.least || body.len() > shape.most || is_alnum(line.at(to)) {
        return None;
    }
    line.count(body.len().min(MAX_VALUE));
    let judged = &body[..body.len().min(MAX_VALUE)];
    let fits =
        !value::stands_in_for_token(judged) && has_parts(shape, body) && !(place == Place::Lock && is_short(shape));
    fits.then(|| Spot::beginning_with(shape.rule, at, to, shape.prefix))
}

/// Prefixes that hashes in lock files have by chance.
fn is_short(shape: &Shape) -> bool {
    shape.prefix.len() < 4
}

/// What the alphabet alone does not tell: separators in their places, and letters of more than one kind, which names lack.
fn has_parts(shape: &Shape, body: &[u8]) -> bool {
    let dot_at = |at: usize, separator: u8| {
        body.get(at) == Some(&separator) && body.iter().filter(|byte| **byte == separator).count() == 1
    };
    match shape.rule.id {
        "airtable-token" => dot_at(14, b'.') && body[15..].iter().all(|byte| is_lower_hex(*byte)),
        "dynatrace-token" => dot_at(24, b'.'),
        "brevo-key" => dot_at(64, b'-') && body[..64].iter().all(|byte| is_lower_hex(*byte)),
        "postman-key" => dot_at(24, b'-'),
        "braintree-token" => dot_at(16, b'$'),
        "hubspot-token" => value::is_uuid(body),
        "cloudflare-origin-key" => dot_at(24, b'-'),
        "azure-storage-key" => body.ends_with(b"="),
        "google-api-key" | "json-web-token" => true,
        "slack-webhook" | "discord-webhook" => body.contains(&b'/'),
        "twilio-key" | "mailgun-key" | "databricks-token" | "age-secret-key" => body.iter().any(u8::is_ascii_digit),
        "aws-access-key-id" => body.iter().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7')),
        _ => body.iter().any(u8::is_ascii_digit) || body.iter().any(u8::is_ascii_uppercase),
    }
}
