import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';

test.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABASE_HOST', 'DATABASE_URL'],
  ['BACKUP_DIRECTORY', 'BACKUP_DIR'],
  ['TRUST_PROXIES', 'TRUST_PROXY'],
  ['ARWEAVE_GATEWAY', 'ARWEAVE_GATEWAY_URL'],
  ['VAULTKEY', 'VAULT_KEY'],
  ['RELAYER_KEYFILE', 'RELAYER_KEY_FILE'],
  ['PUBLIC_URI', 'PUBLIC_URL'],
  ['MIRROR', 'MIRRORS'],
  ['WITNESS', 'WITNESSES'],
])('%s is no setting, but resembles %s', (name, closest) => {
  expect(readConfig({ [name]: 'x' }).UNKNOWN).toEqual([{ name, closest }]);
  expect(readConfig({ [name]: '' }).UNKNOWN).toEqual([]);
});

test.each<[string, string]>([
  [
    'a shell',
    'COLORTERM DISPLAY EDITOR GPG_AGENT_INFO HISTFILE HISTSIZE HOME HOSTNAME HOSTTYPE HOST LANG LC_ALL LESS LOGNAME LS_COLORS MAIL MANPATH OLDPWD PAGER PATH PORT PWD SHELL SHLVL SSH_AUTH_SOCK SSH_CONNECTION SSH_TTY SSL_CERT_DIR SSL_CERT_FILE SUDO_USER TERM TMPDIR TZ USER VISUAL XDG_DATA_DIRS XDG_RUNTIME_DIR http_proxy no_proxy',
  ],
  [
    'tools of developers',
    'BUNDLE_GEMFILE BUNDLE_PATH CI GITHUB_TOKEN INIT_CWD INSTITUTE_KEY NEW_VAULT_KEY NODE_ENV NODE_EXTRA_CA_CERTS NODE_OPTIONS PGDATA PGHOST PGPASSWORD PGPORT PGUSER VAULT_ADDR VAULT_CACERT VAULT_TOKEN npm_config_loglevel npm_execpath npm_package_name',
  ],
  ['OpenTelemetry', 'OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_TIMEOUT OTEL_SERVICE_NAME OTEL_TRACES_SAMPLER'],
  [
    'systemd',
    'CREDENTIALS_DIRECTORY INVOCATION_ID JOURNAL_STREAM LISTEN_FDS LISTEN_PID LOGS_DIRECTORY MAINPID MANAGERPID MEMORY_PRESSURE_WATCH NOTIFY_SOCKET RUNTIME_DIRECTORY STATE_DIRECTORY SYSTEMD_EXEC_PID WATCHDOG_USEC',
  ],
  ['a container', 'HOSTNAME HOME PATH NODE_VERSION YARN_VERSION container'],
])('no variable of %s resembles a setting', (_, names) => {
  const env = Object.fromEntries(names.split(' ').map((name) => [name, name === 'PORT' ? '3000' : 'x']));
  expect(readConfig(env).UNKNOWN).toEqual([]);
});

test('no variable that Kubernetes sets for a Service resembles a setting, whatever the Service is called', () => {
  const names = ['PERPETUA', 'DATABASE', 'REDIS', 'BACKUP', 'WEBHOOK', 'SMTP', 'TRUST_STORE', 'MAX'];
  const env = names.flatMap((name) => [
    [`${name}_SERVICE_HOST`, '10.0.0.1'],
    [`${name}_SERVICE_PORT`, '3000'],
    [`${name}_SERVICE_PORT_HTTP`, '3000'],
    [`${name}_PORT`, 'tcp://10.0.0.1:3000'],
    [`${name}_PORT_3000_TCP`, 'tcp://10.0.0.1:3000'],
    ...['PROTO', 'PORT', 'ADDR'].map((part) => [`${name}_PORT_3000_TCP_${part}`, '3000']),
  ]);
  expect(readConfig(Object.fromEntries(env)).UNKNOWN).toEqual([]);
});
