'use client';

import { useTranslations } from 'use-intl/react';
import { Alert } from '../../../_ui/alert.tsx';
import type { Encoding, ParsedCsv } from './read-csv.ts';

const MAX_EXAMPLES = 3;
const BEYOND_ASCII = /[^\0-\x7f]/;

/** Names the encoding that was assumed, with cells that show whether it is the right one. */
export function EncodingNotice({ encoding, parsed }: { encoding: Encoding; parsed: ParsedCsv }) {
  const t = useTranslations('institution.submit.preview.encoding');
  if (encoding === 'utf-8' || encoding === 'utf-16') return null;
  const cells = [parsed.header, ...parsed.body.map(({ texts }) => texts)].flat();
  const examples = [...new Set(cells.filter((cell) => BEYOND_ASCII.test(cell)))].slice(0, MAX_EXAMPLES);
  return (
    <Alert tone="caution">
      <p>{t(encoding === 'windows-1252' ? 'windows' : 'damaged')}</p>
      <p translate="no">{examples.join(' · ')}</p>
    </Alert>
  );
}
