import type { Metadata } from 'next';
import { biomarkerNamesIn, messagesIn } from '../../messages/messages.ts';
import taxonomy from '../../protocol/records/taxonomy.json' with { type: 'json' };
import { biomarkerName } from '../../protocol/records/taxonomy.ts';
import { requestLocale } from '../_i18n/request-locale.ts';
import { translator } from '../_i18n/translator.ts';
import { publicMetadata } from '../_ui/page-metadata.ts';
import { ProsePage } from '../_ui/prose-page.tsx';
import { textLink } from '../_ui/text-link.ts';

type Entry = { readonly code: string; readonly unit?: string };

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('catalogue');
  return publicMetadata(t('title'), t('lead'));
}

/** The codes, names and usual units of what can be recorded; each code is an anchor. */
export default async function CataloguePage() {
  const t = await translator('catalogue');
  const locale = await requestLocale();
  const names = biomarkerNamesIn(locale);
  const categories: Readonly<Record<string, string>> = messagesIn(locale).scope.category;
  return (
    <ProsePage title={t('title')} lead={t('lead')}>
      <nav aria-label={t('categories')} className="mt-6">
        <ul className="columns-1 gap-x-8 sm:columns-2">
          {taxonomy.categories.map(({ code }) => (
            <li key={code}>
              <a href={`#${code}`} className={`${textLink} inline-block py-1.5 first-letter:uppercase`}>
                {categories[code]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {taxonomy.categories.map(({ code, biomarkers }) => (
        <section key={code} className="mt-10">
          <h2 id={code} className="scroll-mt-4">
            <span className="inline-block first-letter:uppercase">{categories[code]}</span>{' '}
            <span className="text-base font-normal text-muted" translate="no">
              {code}
            </span>
          </h2>
          <table className="mt-3 w-full border-collapse text-left">
            <caption className="sr-only">{categories[code]}</caption>
            <thead>
              <tr className="border-b-2 border-ink text-sm text-muted">
                {(['code', 'name', 'unit'] as const).map((column) => (
                  <th key={column} scope="col" className="py-2 pr-4 font-semibold">
                    {t(column)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {biomarkers.map(({ code: biomarker, unit }: Entry) => (
                <tr key={biomarker} id={biomarker} className="scroll-mt-24 border-b border-line target:bg-accent-soft">
                  <th scope="row" translate="no" className="py-2 pr-4 align-top font-mono text-sm whitespace-nowrap">
                    {biomarker}
                  </th>
                  <td className="py-2 pr-4 align-top wrap-anywhere">{names[biomarker] ?? biomarkerName(biomarker)}</td>
                  <td className="py-2 align-top wrap-anywhere" translate="no">
                    {unit ?? '–'}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </ProsePage>
  );
}
