import { clsx } from 'clsx';
import { regionOf } from '../../messages/languages.ts';
import type { Answers } from '../../server/http/trpc/router.ts';
import { dateFormat } from '../_i18n/formats.ts';
import { requestLocale } from '../_i18n/request-locale.ts';
import { translator } from '../_i18n/translator.ts';
import { BarChart } from '../_ui/bar-chart.tsx';
import { Disclosure } from '../_ui/disclosure.tsx';
import { formatNumber } from '../_ui/format.ts';

/** On a phone, fewer bars show nothing that the sentence does not. */
const FEW_DAYS = 3;

/** The entries of each of the last days as bars, and as a table. */
export async function Activity({ days }: { days: Answers['activity'] }) {
  const t = await translator('explore');
  const region = regionOf(await requestLocale());
  const dateOf = (day: string) =>
    dateFormat(region, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(Date.parse(day));
  const bars = days.map(({ day, entries }, index) => ({
    name: dateOf(day),
    value: entries,
    open: index === days.length - 1,
  }));
  const total = days.reduce((sum, { entries }) => sum + entries, 0);
  const most = Math.max(...days.map(({ entries }) => entries));
  const summary = t('activity.summary', { total, days: days.length });
  return (
    <section aria-labelledby="activity" className="page pb-12">
      <h2 id="activity">{t('activity.title')}</h2>
      <p className="mt-2 text-muted">{summary}</p>
      <div
        className={clsx(
          'mt-5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-xs text-muted tabular-nums',
          days.filter(({ entries }) => entries > 0).length < FEW_DAYS && 'max-sm:hidden',
        )}
      >
        <p aria-hidden className="tabular-nums flex flex-col justify-between text-right leading-none">
          <span>{formatNumber(region, most)}</span>
          <span>0</span>
        </p>
        <BarChart label={summary} bars={bars} className="h-28 w-full border-b border-edge sm:h-36" />
        <p aria-hidden className="col-start-2 mt-1.5 flex justify-between">
          <span>{bars[0]?.name}</span>
          <span>{t('activity.today')}</span>
        </p>
      </div>
      <Disclosure title={t('activity.asTable')} className="mt-2">
        <table className="mt-2 w-full max-w-form text-sm tabular-nums">
          <caption className="sr-only">{t('activity.title')}</caption>
          <thead>
            <tr className="border-b-2 border-ink text-left text-muted">
              <th scope="col" className="py-1.5 font-semibold">
                {t('activity.day')}
              </th>
              <th scope="col" className="py-1.5 text-right font-semibold">
                {t('activity.entries')}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, entries }) => (
              <tr key={day} className="border-b border-line">
                <th scope="row" className="py-1.5 text-left font-normal">
                  <time dateTime={day.slice(0, 10)}>{dateOf(day)}</time>
                </th>
                <td className="py-1.5 text-right">{formatNumber(region, entries)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Disclosure>
    </section>
  );
}
