import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { parseUrl } from '../protocol/parse-url.ts';
import { databaseHosts } from './settings/database-hosts.ts';
import { readMailbox } from './settings/mailbox.ts';
import { readSmtpUrl } from './settings/smtp-url.ts';
import { unknownSettings } from './settings/unknown-settings.ts';
import { readWitnesses } from './settings/witness-list.ts';

/* 1. Kinds of values ---------------------------------------------------------------------------------------------- */

const whole = (min: number, max: number) => {
  const error =
    max === Number.MAX_SAFE_INTEGER
      ? `must be a whole number of at least ${min}`
      : `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error);
};
const positive = whole(1, Number.MAX_SAFE_INTEGER);
const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');
const trueFalse = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .default('false')
  .transform((value) => value === 'true');
const winston = z.string().regex(/^\d+$/, 'must be a whole number of winston').transform(BigInt);
const digests = z
  .string()
  .regex(/^[0-9a-f]{64}(,[0-9a-f]{64}){2}$/i, 'must be three SHA-256 digests of 64 hex characters, separated by commas')
  .transform((value) => value.toLowerCase().split(','))
  .refine((value) => new Set(value).size === value.length, 'must be three different digests');
const url = (...protocols: string[]) =>
  z.string().refine((value) => protocols.includes(parseUrl(value)?.protocol ?? ''), {
    message: `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });
const databaseUrl = z.string().refine((value) => databaseHosts(value) !== null, {
  message:
    'must be a URL that begins with postgres:// or postgresql://, with one or more hosts separated by commas; target_session_attrs may only be read-write',
});
const readUrls = z
  .string()
  .transform((value) => value.split(',').map((each) => each.trim()))
  .refine((urls) => urls.every((each) => /^postgres(ql)?:\/\//.test(each) && databaseHosts(each)?.length === 1), {
    message: 'must be URLs that begin with postgres:// or postgresql://, separated by commas, each with one host',
  })
  .default([]);
const gatewayUrls = z
  .string()
  .transform((value) => [...new Set(value.split(',').map((each) => each.trim()))])
  .pipe(
    z.array(
      url('http:', 'https:').refine(
        (value) => !/[@?#]/.test(value),
        'must hold no credentials and no query: the first one is published',
      ),
    ),
  );
const smtpUrl = z
  .string()
  .transform(readSmtpUrl)
  .refine((value) => value !== null, {
    message: 'must be smtp:// or smtps://, user:password@ where needed (percent-encoded), a host and perhaps a port',
  });
const shortText = z.string().regex(/^[^\p{Cc}]{1,200}$/u, 'must be 1 to 200 characters in one line');
const ports = z
  .string()
  .regex(/^\d{1,5}(,\d{1,5}){0,15}$/, 'must be ports separated by commas')
  .transform((value) => value.split(',').map(Number))
  .refine((value) => value.every((port) => port >= 1 && port <= 65_535), 'must be ports from 1 to 65535');
const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Milliseconds. */
const duration = (min: number) =>
  z
    .string()
    .regex(/^\d{1,6}[smhd]$/, 'must be a duration such as 30m, 24h or 7d')
    .transform((value) => Number(value.slice(0, -1)) * UNITS[value.slice(-1) as keyof typeof UNITS])
    .refine((value) => value >= min, `must be at least ${min / 1_000} seconds`);
const mailbox = z
  .string()
  .transform(readMailbox)
  .refine((value) => value !== null, { message: 'must be one mailbox, as in Perpetua <guardians@example.org>' });

const witnesses = z
  .string()
  .transform((value, context) => {
    try {
      return readWitnesses(value);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  })
  .default([]);

const mirrors = z
  .string()
  .transform((value) => [...new Set(value.split(',').map((each) => each.trim().replace(/\/+$/, '')))])
  .pipe(
    z
      .array(url('http:', 'https:').refine((value) => !/[@?#]/.test(value), 'must hold no credentials and no query'))
      .max(16, 'must name at most 16 mirrors'),
  )
  .default([]);

const origins = z
  .string()
  .transform((value) => value.split(',').map((each) => each.trim()))
  .refine((all) => all.every((each) => /^https?:/.test(each) && parseUrl(each)?.origin === each), {
    message: 'must be origins such as https://app.example, separated by commas',
  })
  .default([]);

const processes = z
  .string()
  .regex(/^(auto|[1-9]|[1-5]\d|6[0-4])$/, 'must be auto or a whole number from 1 to 64')
  .transform((value) => (value === 'auto' ? Math.min(availableParallelism(), 64) : Number(value)));

/* 2. Every environment variable, with its default ----------------------------------------------------------------- */

const environment = z.object({
  PORT: whole(0, 65_535).default(3000),
  HOST: z.string().min(1).optional(),
  PUBLIC_URL: url('http:', 'https:').optional(),
  HSTS: z.enum(['subdomains', 'host', 'off'], { error: 'must be subdomains, host or off' }).default('subdomains'),
  CORS_ORIGINS: origins,
  TLS_CERT_FILE: z.string().min(1).optional(),
  TLS_KEY_FILE: z.string().min(1).optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  DOMAIN_SUFFIX: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/, 'must be one lower-case domain label of at most 32 characters')
    .default('bsp'),
  SERVICE_NAME: z
    .string()
    .regex(/^[\w .-]{1,60}$/, 'must be 1 to 60 letters, digits, spaces, dots or dashes')
    .default('perpetua'),
  PROCESSES: processes.default(1),
  TRUST_PROXY: whole(0, 16).default(0),
  KEEP_ALIVE_MS: whole(1_000, 3_600_000).default(90_000),
  RATE_LIMIT: onOff.default(true),
  MAX_CONNECTIONS: whole(1, 1_000_000).default(2_000),
  MAX_CONNECTIONS_PER_ADDRESS: whole(1, 1_000_000).default(100),
  MAX_STREAMS: whole(1, 100_000).default(200),
  MAX_STREAM_MS: whole(100, 86_400_000).default(3_600_000),
  METRICS_PUBLIC: z.enum(['false', 'direct', 'true'], { error: 'must be false, direct or true' }).default('false'),
  MCP_TOOLS: z.enum(['off', 'read', 'requests'], { error: 'must be off, read or requests' }).default('off'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:').optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),

  DATABASE_URL: databaseUrl.optional(),
  DATABASE_READ_URL: readUrls,
  DATABASE_READ_MAX_LAG_MS: whole(100, 3_600_000).default(5_000),
  REDIS_URL: url('redis:', 'rediss:').optional(),
  UPSTASH_REDIS_REST_URL: url('http:', 'https:').optional(),
  UPSTASH_REDIS_REST_TOKEN: z.string().min(1).optional(),

  ARWEAVE_GATEWAY_URL: gatewayUrls.optional(),
  ARWEAVE_WALLET_FILE: z.string().min(1).optional(),
  MAX_WINSTON_PER_BUNDLE: winston.default(20_000_000_000n),
  BUNDLE_MAX_AGE_MS: positive.optional(),
  MAX_POSTING_DELAY_SECONDS: positive.default(86_400),
  DAILY_BYTES: positive.default(1_000_000_000),
  MAX_BACKLOG: positive.default(100_000),
  DEVNET_BLOCK_MS: positive.default(2_000),

  RELAYER_KEY_FILE: z.string().min(1).optional(),
  CHECKPOINT_KEY_FILE: z.string().min(1).optional(),
  WITNESSES: witnesses,
  MIRRORS: mirrors,
  VAULT_KEY: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hex characters (32 bytes)')
    .optional(),
  INSTITUTE_KEY_DIGESTS: digests.optional(),

  MAX_BYTES_PER_BEO: positive.default(100_000_000),
  MAX_BYTES_PER_IEO: positive.default(10_000_000_000),
  MAX_STORED_BYTES: positive.default(100_000_000_000),
  RECORDS_ON_NETWORK: z
    .enum(['commitment', 'ciphertext'], { error: 'must be commitment or ciphertext' })
    .default('commitment'),
  ACCEPT_COUNT_ONLY_SUBMISSIONS: trueFalse,
  LEDGER_ID_REQUIRED: trueFalse,

  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailbox.optional(),
  MAILS_PER_DAY: positive.default(2_000),

  BACKUP_DIR: z.string().min(1).optional(),
  BACKUP_EVERY: duration(10_000).default(86_400_000),
  BACKUP_KEEP: duration(10_000).default(7 * 86_400_000),
  BACKUP_MAX_RATE: whole(100_000, 999_999_999).default(8_000_000),
  BACKUP_KEY_FILE: z.string().min(1).optional(),

  WEBHOOK_KEY_FILE: z.string().min(1).optional(),
  WEBHOOK_PORTS: ports.default([443]),
  WEBHOOK_PRIVATE_TARGETS: trueFalse,

  OPERATOR_NAME: shortText.optional(),
  CONTACT_EMAIL: z.email('must be an email address').optional(),
  GOVERNING_LAW: shortText.optional(),
});

/* 3. Settings that depend on each other --------------------------------------------------------------------------- */

const settings = environment
  .refine((env) => !env.TLS_CERT_FILE === !env.TLS_KEY_FILE, {
    path: ['TLS_KEY_FILE'],
    message: 'is needed together with TLS_CERT_FILE, and the other way round',
  })
  .refine((env) => !(env.TLS_CERT_FILE && env.PUBLIC_URL?.startsWith('http:')), {
    path: ['PUBLIC_URL'],
    message: 'must begin with https://, because TLS_CERT_FILE is set',
  })
  .refine((env) => !env.UPSTASH_REDIS_REST_URL === !env.UPSTASH_REDIS_REST_TOKEN, {
    path: ['UPSTASH_REDIS_REST_TOKEN'],
    message: 'is needed together with UPSTASH_REDIS_REST_URL, and the other way round',
  })
  .refine((env) => !(env.REDIS_URL && env.UPSTASH_REDIS_REST_URL), {
    path: ['REDIS_URL'],
    message: 'and UPSTASH_REDIS_REST_URL name two limiter stores; set one of them',
  })
  .refine((env) => !env.ARWEAVE_GATEWAY_URL === !env.ARWEAVE_WALLET_FILE, {
    path: ['ARWEAVE_WALLET_FILE'],
    message: 'is needed together with ARWEAVE_GATEWAY_URL, and the other way round',
  })
  .refine((env) => !(env.BACKUP_DIR && env.DATABASE_URL), {
    path: ['BACKUP_DIR'],
    message: 'is for the embedded database; back up the one of DATABASE_URL with a tool of its own (docs/backups.md)',
  })
  .refine((env) => env.BACKUP_KEEP > env.BACKUP_EVERY, {
    path: ['BACKUP_KEEP'],
    message: 'must be longer than BACKUP_EVERY, or backups are deleted before the next one exists',
  })
  .refine((env) => !env.SMTP_URL === !env.MAIL_FROM, {
    path: ['MAIL_FROM'],
    message: 'is needed together with SMTP_URL, and the other way round',
  });

export type Config = ReturnType<typeof readConfig>;

export class ConfigError extends Error {}

/**
 * Reads and checks every environment variable once, at start.
 * @throws {ConfigError} with one sentence that names the first invalid variable.
 */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = String(issue?.path[0]);
    throw new ConfigError(`${name} is wrong: ${issue?.message} (it is ${quoted(name, given[name])}).`);
  }
  const value = parsed.data;
  const dataDir = resolve(value.DATA_DIR);
  return {
    ...value,
    DATA_DIR: dataDir,
    BACKUP_DIR: value.BACKUP_DIR && resolve(value.BACKUP_DIR),
    PUBLIC_URL: value.PUBLIC_URL?.replace(/\/+$/, ''),
    BUNDLE_MAX_AGE_MS: value.BUNDLE_MAX_AGE_MS ?? (value.ARWEAVE_GATEWAY_URL ? 60_000 : 3_000),
    VERSION: '1.0.0',
    UNKNOWN: unknownSettings(env, [...Object.keys(environment.shape), 'NEW_VAULT_KEY']),
  };
}

const SECRETS = /KEY|TOKEN|DATABASE|REDIS|GATEWAY|SMTP|OTEL/;

function quoted(name: string, value: string | undefined): string {
  if (value === undefined) return 'not set';
  return SECRETS.test(name) ? `set, ${value.length} characters` : JSON.stringify(value);
}
