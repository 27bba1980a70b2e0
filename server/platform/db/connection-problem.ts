const NO_ENCRYPTION = /no encryption$/;

/** SQLSTATE. */
const REFUSED: Readonly<Record<string, (reason: string) => string>> = {
  '28P01': () =>
    'The database refuses the password in DATABASE_URL; correct the user or the password, percent-encoded.',
  '28000': (reason) =>
    NO_ENCRYPTION.test(reason)
      ? `The database does not admit the role in DATABASE_URL without TLS (${reason}); add sslmode=verify-full, and sslrootcert if the authority of its certificate is your own.`
      : `The database does not admit the role in DATABASE_URL (${reason}); correct the URL or pg_hba.conf.`,
  '3D000': () => 'The database in DATABASE_URL does not exist on its server; create it, or correct the name.',
  '42501': (reason) => `The role in DATABASE_URL lacks a right (${reason}); make it the owner of the database.`,
};

/** The codes of Node and OpenSSL for certificates and handshakes, and what pg reports if the server has no TLS. */
const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_|EPROTO)/;
const NO_TLS = /does not support SSL/;
const NO_PASSWORD = /password must be a string/;

/** Whether a certificate or a handshake fails. The error of fetch has it as its cause. */
export const isTlsError = ({ code, cause }: { readonly code?: unknown; readonly cause?: unknown }): boolean =>
  TLS_CODE.test(String(code ?? '')) || (cause instanceof Error && isTlsError(cause));

/** Why a database that responds refuses the service, in one sentence; null if the error is of another kind. */
export function connectionProblem(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code = String((error as { code?: unknown }).code ?? '');
  const refused = REFUSED[code];
  if (refused) return refused(error.message);
  if (isTlsError(error) || NO_TLS.test(error.message)) {
    return `The TLS connection to the database fails (${code || error.message}); check sslmode and sslrootcert in DATABASE_URL, and the certificate of the server.`;
  }
  return NO_PASSWORD.test(error.message) ? 'DATABASE_URL has no password, which the database asks for; add it.' : null;
}
