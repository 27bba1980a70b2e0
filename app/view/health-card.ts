import { listOf, objectOf, textOf } from '../../protocol/records/fhir/fhir-members.ts';
import { isObject, type Json } from '../../protocol/signing/canonical-json.ts';
import { fromBase64Url } from '../../protocol/signing/encoding.ts';
import { inflate } from './open-link.ts';

interface HealthCard {
  /** As the first card states it: the signature is not checked. */
  readonly issuer: string | null;
  /** The FHIR Bundles in its credentials, as JSON. */
  readonly bundles: readonly string[];
}

const MAX_CARDS = 50;

/** Reads a file of type application/smart-health-card: `{ verifiableCredential: [JWS] }`. @throws where it is not one */
export async function readHealthCard(content: string): Promise<HealthCard> {
  const file: Json = JSON.parse(content);
  const credentials = isObject(file) && Array.isArray(file.verifiableCredential) ? file.verifiableCredential : [];
  if (credentials.length === 0 || credentials.length > MAX_CARDS) throw new SyntaxError('no cards');
  const payloads = await Promise.all(credentials.map((credential: Json) => payloadOf(String(credential))));
  const bundles = payloads.map((payload) => objectOf(objectOf(objectOf(payload)?.vc)?.credentialSubject)?.fhirBundle);
  return {
    issuer: textOf(listOf(payloads)[0]?.iss),
    bundles: bundles.map((bundle) => JSON.stringify(bundle ?? null)),
  };
}

/** The payload of a compact JWS, which may be compressed with raw DEFLATE. */
async function payloadOf(jws: string): Promise<Json> {
  const [header, payload] = jws.split('.', 2).map(fromBase64Url);
  if (!header || !payload) throw new SyntaxError('no JWS');
  const facts: Json = JSON.parse(new TextDecoder().decode(header));
  const bytes = objectOf(facts)?.zip === 'DEF' ? await inflate(payload) : payload;
  return JSON.parse(new TextDecoder().decode(bytes));
}
