import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import certificates from '../features/events/webhooks/test-certificates.json' with { type: 'json' };

/** A certificate for *.receiver.test and its key, in PEM. */
export const { valid: VALID, expired: EXPIRED } = certificates;

/** What a client needs to trust them. */
export const TRUST = { ca: certificates.authority, servername: 'perpetua.receiver.test' };

export interface TestTls {
  readonly env: { readonly TLS_CERT_FILE: string; readonly TLS_KEY_FILE: string };
  write(files: { readonly cert?: string; readonly key?: string }): void;
  remove(): void;
}

/** A folder with a certificate and its key. */
export function testTls(files = VALID): TestTls {
  const directory = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-tls-`));
  const env = { TLS_CERT_FILE: join(directory, 'cert.pem'), TLS_KEY_FILE: join(directory, 'key.pem') };
  const write: TestTls['write'] = ({ cert, key }) => {
    if (cert !== undefined) writeFileSync(env.TLS_CERT_FILE, cert);
    if (key !== undefined) writeFileSync(env.TLS_KEY_FILE, key, { mode: 0o600 });
  };
  write(files);
  return { env, write, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
