import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificate {
  /** PEM files. */
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  /** The file of its certificate, and that in PEM. */
  readonly file: string;
  readonly pem: string;
  /** A certificate for DNS names and addresses. */
  issue(name: string, subjects: readonly string[]): Certificate;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'];

/** A certificate authority of its own, by openssl, with its files in `folder`. */
export function newAuthority(folder: string, name = 'authority'): Authority {
  const request = (of: string, subject: string, ...more: string[]): Certificate => {
    const [cert, key] = [join(folder, `${of}.pem`), join(folder, `${of}.key`)];
    const out = ['-keyout', key, '-out', cert, '-subj', `/CN=${subject}`];
    execFileSync('openssl', ['req', '-x509', ...KEY, ...out, ...more], { stdio: 'pipe' });
    return { cert, key };
  };
  const own = request(name, `Test ${name}`, '-addext', 'keyUsage=critical,keyCertSign');
  return {
    file: own.cert,
    pem: readFileSync(own.cert, 'utf8'),
    issue(of, subjects) {
      const names = subjects.map((subject) => `${/^[\d.:]+$/.test(subject) ? 'IP' : 'DNS'}:${subject}`).join(',');
      const extensions = ['basicConstraints=critical,CA:FALSE', `subjectAltName=${names}`];
      const signed = ['-CA', own.cert, '-CAkey', own.key, ...extensions.flatMap((text) => ['-addext', text])];
      return request(of, subjects[0] ?? of, ...signed);
    },
  };
}
