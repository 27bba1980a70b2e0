import { fileNamed, readText } from '../../guides/guides.ts';

const TYPES: Readonly<Record<string, string>> = { json: 'application/json', py: 'text/x-python; charset=utf-8' };

/** A program or the test vectors of this repository. */
export async function GET(_: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  const { name } = await params;
  const file = fileNamed(name);
  if (!file) return new Response('There is no such file. /developers lists what there is.\n', { status: 404 });
  const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain; charset=utf-8';
  return new Response(readText(file), { headers: { 'content-type': type, 'cache-control': 'public, max-age=3600' } });
}
