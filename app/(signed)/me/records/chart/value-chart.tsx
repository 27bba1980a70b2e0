'use client';

import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { regionOf } from '../../../../../messages/languages.ts';
import { assessRecord } from '../../../../../protocol/clinical/assess.ts';
import { bandsOf, type RangeName, referenceRange } from '../../../../../protocol/clinical/ranges.ts';
import { measuredText } from '../../../../../protocol/clinical/value-text.ts';
import type { BioRecord } from '../../../../../protocol/records/record.ts';
import { useFormats } from '../../../../_i18n/use-formats.ts';
import { InstitutionName } from '../../../../_trpc/institution-name.tsx';
import { InterpretationFlag } from '../../../../_ui/interpretation-flag.tsx';
import { ShownValue } from '../../../../_ui/records/shown-value.tsx';
import { rangeText, StatedRanges } from '../../../../_ui/records/stated-ranges.tsx';
import { LoadingWords } from '../../../../_ui/skeletons.tsx';
import { useDates } from '../../../../_ui/use-dates.ts';
import { type StatedDeviations, statedDeviations } from '../deviations.ts';
import { RangeFlag } from '../range-flag.tsx';
import type { ChartOptions } from './draw-chart.ts';
import { extremesOf, type Mark, type Point, type Series } from './series.ts';

type DrawChart = typeof import('./draw-chart.ts').drawChart;

type ValueChartProps = {
  series: Series;
  /** All records of the biomarker: they may state other ranges. */
  all: readonly BioRecord[];
};

/** The numbers in one unit over time, with the reference range that the institution of the latest one stated. */
export function ValueChart({ series, all }: ValueChartProps) {
  const t = useTranslations('records.chart');
  const names = useTranslations('records.range');
  const id = useId();
  const region = regionOf(useLocale());
  const [point, setPoint] = useState<Mark | null>(null);
  const { latest } = series;
  const range = useMemo(() => (latest ? referenceRange(latest) : null), [latest]);
  const options = useMemo(
    (): ChartOptions => ({
      series,
      bands: bandsOf(range, series.unit),
      nameOf: (name: RangeName) => names(name),
      region,
      onPoint: setPoint,
    }),
    [series, range, names, region],
  );
  return (
    <figure
      aria-labelledby={`${id}-title`}
      className="rounded-lg border border-line bg-surface p-4 sm:p-6 print:break-inside-avoid print:border-0 print:p-0"
    >
      <h3 id={`${id}-title`} className="text-lg">
        {t('title', { unit: series.unit })}
      </h3>
      <Summary series={series} all={all} />
      <Canvas options={options} />
      <p aria-hidden className="min-h-20 text-sm text-muted sm:min-h-14 print:hidden">
        {point ? <PointWords point={point} /> : t('hint')}
      </p>
      <figcaption className="space-y-2 pt-2 text-sm text-muted">
        {range && latest && (
          <div>
            <p>
              {t.rich('stated', {
                name: () => <InstitutionName id={latest.ieo_id} domain={latest.source.ieo_domain} isInSentence />,
              })}
            </p>
            <StatedRanges record={latest} />
          </div>
        )}
        {series.current.some(({ record }) => assessRecord(record).deviations.length > 0) && <p>{t('shapes')}</p>}
        {series.undrawn.length > 0 && <p>{t('undrawn', { count: series.undrawn.length })}</p>}
        {series.superseded.length > 0 && <p>{t('superseded', { count: series.superseded.length })}</p>}
      </figcaption>
    </figure>
  );
}

/** The content of the chart in words. */
function Summary({ series: { current, undrawn, limits, latest }, all }: ValueChartProps) {
  const t = useTranslations('records.chart');
  const format = useFormats();
  const dates = useDates();
  const extremes = extremesOf([...current, ...limits]);
  if (!latest) return <p>{t('allReplaced')}</p>;
  const value = ({ record }: Point) => measuredText(record);
  const deviations = statedDeviations(latest, all);
  const normal = deviations.length === 0 && assessRecord(latest).inside;
  const [first] = [...current, ...undrawn].toSorted((one, other) => one.at - other.at);
  const count = current.length + undrawn.length;
  return (
    <div className="pb-4">
      <p className="text-xl">
        <ShownValue record={latest} />
      </p>
      <p>
        {t('latest', { day: dates.day(latest.collected_at) })}
        {normal && ` ${t(`position.${normal}`)}`}
      </p>
      {deviations.length > 0 && <Deviations stated={deviations} />}
      {count > 1 && first && extremes && (
        <p className="text-muted">
          {t('summary', {
            count: format.number(count),
            from: dates.day(first.record.collected_at),
            to: dates.day(latest.collected_at),
            lowest: value(extremes.lowest),
            lowestDay: dates.day(extremes.lowest.record.collected_at),
            highest: value(extremes.highest),
            highestDay: dates.day(extremes.highest.record.collected_at),
          })}
        </p>
      )}
    </div>
  );
}

/** The ranges that a value deviates from, each with the institution that stated it. */
function Deviations({ stated }: { stated: readonly StatedDeviations[] }) {
  const t = useTranslations('records.chart');
  const dates = useDates();
  return (
    <div className="space-y-1.5 py-1.5">
      <p>{t('outside')}</p>
      <ul className="space-y-1.5">
        {stated.flatMap(({ record, range, deviations }) =>
          deviations.map((deviation) => (
            <li key={`${record.ieo_id} ${deviation.name}`} className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <RangeFlag deviation={deviation} />
              <span className="text-sm text-muted">
                {t.rich('statedBy', {
                  range: rangeText(range, deviation.name),
                  name: () => <InstitutionName id={record.ieo_id} domain={record.source.ieo_domain} isInSentence />,
                  day: dates.day(record.collected_at),
                })}
              </span>
            </li>
          )),
        )}
      </ul>
    </div>
  );
}

function PointWords({ point: { record } }: { point: Mark }) {
  const t = useTranslations('records.chart');
  const dates = useDates();
  return (
    <>
      <span className="font-semibold text-ink" translate="no">
        {measuredText(record)}
      </span>
      {' · '}
      {dates.moment(record.collected_at)}
      {' · '}
      <InstitutionName id={record.ieo_id} domain={record.source.ieo_domain} isInSentence />
      {record.status === 'SUPERSEDED' && ` · ${t('replaced')}`}
      {record.status !== 'SUPERSEDED' && <InterpretationFlag record={record} />}
    </>
  );
}

/** The chart, drawn again when its width or the colours of the page change. Hidden from screen readers, which get the summary. */
function Canvas({ options }: { options: ChartOptions }) {
  const t = useTranslations('records.chart');
  const host = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState(false);

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let isUnmounted = false;
    let drawChart: DrawChart | null = null;
    let removeChart = () => {};
    let width = 0;

    const { documentElement: root } = document;
    let isPrinting = false;
    const draw = () => {
      if (!drawChart) return;
      removeChart();
      width = element.clientWidth;
      const { theme } = root.dataset;
      // Paper is white. A chart keeps the colours with which it is drawn.
      if (isPrinting) root.dataset.theme = 'light';
      removeChart = drawChart(element, options);
      if (!isPrinting) return;
      if (theme === undefined) delete root.dataset.theme;
      else root.dataset.theme = theme;
      themeObserver.takeRecords();
    };
    void import('./draw-chart.ts').then((loaded) => {
      if (isUnmounted) return;
      drawChart = loaded.drawChart;
      draw();
      setDrawn(true);
    });
    const resizeObserver = new ResizeObserver(() => {
      if (element.clientWidth !== width) draw();
    });
    const themeObserver = new MutationObserver(draw);
    resizeObserver.observe(element);
    themeObserver.observe(root, { attributeFilter: ['data-theme'] });
    const ended = new AbortController();
    const { signal } = ended;
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw, { signal });
    const print = (isOnPaper: boolean) => {
      isPrinting = isOnPaper;
      draw();
    };
    addEventListener('beforeprint', () => print(true), { signal });
    addEventListener('afterprint', () => print(false), { signal });
    return () => {
      isUnmounted = true;
      ended.abort();
      resizeObserver.disconnect();
      themeObserver.disconnect();
      removeChart();
    };
  }, [options]);

  // On paper it is as wide as the page: uPlot sets the width of the window in px.
  return (
    <div
      aria-hidden
      ref={host}
      className="print:[&_:is(.uplot,.u-wrap,canvas)]:h-auto! print:[&_:is(.uplot,.u-wrap,canvas)]:w-full! relative min-h-[300px] w-full min-w-0 overflow-hidden"
    >
      {!drawn && (
        <div className="absolute inset-0 grid place-items-center rounded-md border border-line">
          <LoadingWords words={t('drawing')} />
        </div>
      )}
    </div>
  );
}
