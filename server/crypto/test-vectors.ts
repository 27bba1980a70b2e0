import { readdirSync, readFileSync } from 'node:fs';

const VECTORS = new URL('../../protocol/vectors/', import.meta.url);

/** The vectors of a folder below protocol/vectors, each with the name of its file. */
export function readVectors<Vector>(folder: string): (Vector & { readonly name: string })[] {
  const directory = new URL(`${folder}/`, VECTORS);
  return readdirSync(directory).map((file) => ({
    ...(JSON.parse(readFileSync(new URL(file, directory), 'utf8')) as Vector),
    name: file.replace(/\.json$/, ''),
  }));
}
