import { isJson } from '../../../../protocol/records/fhir/read-fhir.ts';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import { isOwnJson, tableOf } from './own-export.ts';
import { type Encoding, type ParsedCsv, parseCsv, textOfFile } from './read-csv.ts';
import { parseFhir } from './read-fhir-file.ts';

/** A file whose texts are known, or why they are not. */
export type ParsedFile =
  | { readonly parsed: ParsedCsv; readonly encoding: Encoding }
  | { readonly problem: 'empty' | 'tooMany' | 'notFhir' };

/** Parses a file of results: CSV, or FHIR R4 as JSON. `onProgress` is called with what is done, from 0 to 1. */
export const parseFile = async (file: Blob, onProgress?: (done: number) => void): Promise<ParsedFile> =>
  parseBytes(new Uint8Array(await file.arrayBuffer()), onProgress);

/** Like `parseFile`, of what is in the file. */
export function parseBytes(bytes: Uint8Array, onProgress?: (done: number) => void): ParsedFile {
  const { text, encoding } = textOfFile(bytes);
  try {
    const parsed = isJson(text) ? parseJson(text, onProgress) : parseCsv(text);
    return 'problem' in parsed ? parsed : { parsed, encoding };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: 'notFhir' };
    throw error;
  }
}

/** An export of this service begins with its format; a document of FHIR cannot. */
const OWN = /^\ufeff?\s*\{\s*"format"\s*:\s*"JSON"/;

function parseJson(text: string, onProgress?: (done: number) => void) {
  const own: Json = OWN.test(text) ? JSON.parse(text) : null;
  return isOwnJson(own) ? tableOf(own) : parseFhir(text, onProgress);
}
