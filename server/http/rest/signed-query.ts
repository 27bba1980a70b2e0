import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { ENVELOPE_FIELDS } from '../../../protocol/signing/envelope.ts';
import { wrongParameter } from './parameters.ts';
import type { SignedForm } from './rest-endpoint.ts';

/** The headers that carry members of a signed GET. Protocol §1. */
export const SIGNED_HEADERS: Readonly<Record<string, string>> = {
  consentToken: 'X-Consent-Token',
  ledgerId: 'X-Ledger-Id',
  signature: 'X-Signature',
  nonce: 'X-Nonce',
  timestamp: 'X-Timestamp',
};

/** The members of a signed GET that may be query parameters. */
export const signedNames = ({ form, mayBeInQuery = false }: SignedForm): readonly string[] => [
  ...Object.keys(form.fields.shape),
  ...(mayBeInQuery ? ENVELOPE_FIELDS : []),
];

/** Collects the members of a signed GET. @throws VALIDATION_FAILED if a query parameter and its header differ */
export function signedBody(
  { form }: SignedForm,
  search: URLSearchParams,
  header: (name: string) => string | undefined,
): Json {
  const given = [...Object.keys(form.fields.shape), ...ENVELOPE_FIELDS].flatMap((name) => {
    // A query decodes + to a space, and base64 has no spaces.
    const inQuery = (name === 'signature' ? search.get(name)?.replaceAll(' ', '+') : search.get(name)) ?? null;
    const headerName = SIGNED_HEADERS[name];
    const inHeader = (headerName && header(headerName.toLowerCase())) ?? null;
    if (inQuery !== null && inHeader !== null && inQuery !== inHeader)
      throw wrongParameter(name, 'differs from the header');
    const value = inQuery ?? inHeader;
    return value === null ? [] : [[name, value]];
  });
  return Object.fromEntries(given);
}
