import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { type Config, ConfigError } from '../../config.ts';
import { readFileIfExists } from '../data-folder/key-files.ts';

type TlsSettings = Pick<Config, 'TLS_CERT_FILE' | 'TLS_KEY_FILE'>;

/** What Node's TLS server takes: a certificate with its chain and its key, in PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  readonly minVersion: 'TLSv1.2';
}

/**
 * The files with which the service itself accepts TLS; null without TLS_CERT_FILE.
 * @throws {ConfigError} if they are not a certificate and its key
 */
export function readTlsFiles({ TLS_CERT_FILE, TLS_KEY_FILE }: TlsSettings): TlsFiles | null {
  if (!TLS_CERT_FILE || !TLS_KEY_FILE) return null;
  const files = {
    cert: textOf('TLS_CERT_FILE', TLS_CERT_FILE),
    key: textOf('TLS_KEY_FILE', TLS_KEY_FILE),
    minVersion: 'TLSv1.2',
  } as const;
  const certificate = certificateIn(files.cert);
  const key = keyIn(files.key);
  if (!certificate) throw wrong('TLS_CERT_FILE', `${TLS_CERT_FILE} must hold a certificate in PEM`);
  if (!key) throw wrong('TLS_KEY_FILE', `${TLS_KEY_FILE} must hold a private key in PEM, without a passphrase`);
  if (!certificate.checkPrivateKey(key)) {
    throw wrong('TLS_KEY_FILE', `${TLS_KEY_FILE} is not the key of the first certificate in ${TLS_CERT_FILE}`);
  }
  try {
    createSecureContext(files);
  } catch (error) {
    throw wrong('TLS_CERT_FILE', `OpenSSL does not accept ${TLS_CERT_FILE} (${(error as Error).message})`);
  }
  return files;
}

/** A sentence if the certificate has expired by `now` (ms since 1970), which clients refuse; else null. */
export function expiryProblem({ cert }: TlsFiles, now: number): string | null {
  const until = Date.parse(certificateIn(cert)?.validTo ?? '');
  return until > now ? null : `The certificate in TLS_CERT_FILE expired at ${new Date(until).toISOString()}.`;
}

const wrong = (name: string, sentence: string) => new ConfigError(`${name} is wrong: ${sentence}.`);

function textOf(name: string, path: string): string {
  const text = readFileIfExists(path);
  if (text === null) throw wrong(name, `there is no file ${path}`);
  return text;
}

/** The first certificate. Node would accept DER here, but not in a TLS server. */
function certificateIn(pem: string): X509Certificate | null {
  try {
    return pem.includes('-----BEGIN CERTIFICATE-----') ? new X509Certificate(pem) : null;
  } catch {
    return null;
  }
}

function keyIn(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}
