'use client';

import { Download } from 'lucide-react';
import { type FormEvent, type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { regionOf } from '../../../messages/languages.ts';
import type { ExportFormatName } from '../../../protocol/signing/exchange-requests.ts';
import { useSession } from '../../_session/session.tsx';
import { useSignedBody } from '../../_session/write.tsx';
import type { Failure } from '../../_trpc/failure.ts';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { Screen } from '../../_ui/screen.tsx';
import { formatBytes } from './format-bytes.ts';
import type { Progress } from './take-export.ts';

/** In the order of the form. */
const FORMATS = ['CSV', 'FHIR_R4', 'JSON'] as const satisfies readonly ExportFormatName[];

type Stage =
  | { readonly at: 'choose'; readonly failure: Failure | null; readonly cancelled: boolean }
  | ({ readonly at: 'making' } & Progress)
  | { readonly at: 'ready'; readonly file: Blob; readonly name: string; readonly recordCount: number };

const CHOOSE: Stage = { at: 'choose', failure: null, cancelled: false };
/** The shortest time between two progress updates, in ms. */
const PROGRESS_MS = 200;

export type Exporting = ReturnType<typeof useExport>;

interface ExportOf {
  readonly beoId: string;
  readonly domain: string;
  /** Reads, before the request is signed, why it would be refused. */
  readonly obstacleOf?: (beoId: string) => Promise<Failure | null>;
}

/** The state of an export. The file is assembled in this browser, and dropped when the key is locked. */
export function useExport({ beoId, domain, obstacleOf }: ExportOf) {
  const { isOpen, signer } = useSession();
  const signedBody = useSignedBody();
  const [stage, setStage] = useState<Stage>(CHOOSE);
  const underWay = useRef<AbortController | null>(null);

  const leave = useCallback((next: Stage) => {
    underWay.current?.abort();
    underWay.current = null;
    setStage(next);
  }, []);

  useEffect(() => {
    if (!isOpen) leave(CHOOSE);
  }, [isOpen, leave]);

  useEffect(() => () => underWay.current?.abort(), []);

  const make = async (consentToken: string, format: ExportFormatName) => {
    if (underWay.current || !(await signer())) return;
    const controller = new AbortController();
    const { signal } = controller;
    underWay.current = controller;
    setStage({ at: 'making', bytes: 0, recordCount: null });
    let reportedAt = 0;
    const onProgress = (progress: Progress) => {
      if (signal.aborted || performance.now() - reportedAt < PROGRESS_MS) return;
      reportedAt = performance.now();
      setStage({ at: 'making', ...progress });
    };
    const next = await (async (): Promise<Stage> => {
      const obstacle = (await obstacleOf?.(beoId)) ?? null;
      if (obstacle) return { at: 'choose', failure: obstacle, cancelled: false };
      const body = await signedBody('sovereignExport', { targetBeo: beoId, consentToken, format });
      if (!body) return CHOOSE;
      const { fileName, takeExport } = await import('./take-export.ts');
      const result = await takeExport(body, format, { signal, onProgress });
      if (!result.ok) return { at: 'choose', failure: result.failure, cancelled: false };
      const name = fileName(domain, format, new Date());
      return { at: 'ready', file: result.file, name, recordCount: result.recordCount };
    })().catch((): Stage => ({ at: 'choose', failure: { code: 'UNREACHABLE', message: '' }, cancelled: false }));
    if (!signal.aborted) setStage(next);
    if (underWay.current === controller) underWay.current = null;
  };

  return {
    stage,
    make,
    cancel: () => leave({ at: 'choose', failure: null, cancelled: true }),
    again: () => leave(CHOOSE),
  };
}

type ExportProps = {
  exporting: Exporting;
  /** Whether the exporter's own records are exported, or another person's. */
  whose: 'own' | 'others';
  /** Shows why the export was refused; an interrupted one has its own message. */
  refused?: (failure: Failure | null) => ReactNode;
  /** Is shown before an export; receives the form that starts one. */
  children: (choose: (consentToken: string) => ReactNode) => ReactNode;
};

/** The steps of an export, from the format to the file. */
export function Export({
  exporting: { stage, make, cancel, again },
  whose,
  refused = refusedByCode,
  children,
}: ExportProps) {
  switch (stage.at) {
    case 'making':
      return <Making {...stage} onCancel={cancel} />;
    case 'ready':
      return <Ready {...stage} whose={whose} onAnother={again} />;
    case 'choose':
      return children((token) => (
        <Choose {...stage} whose={whose} refused={refused} onMake={(format) => void make(token, format)} />
      ));
  }
}

const refusedByCode = (failure: Failure | null) => <Refused failure={failure} />;

type ChooseProps = Required<Pick<ExportProps, 'whose' | 'refused'>> & {
  failure: Failure | null;
  cancelled: boolean;
  onMake: (format: ExportFormatName) => void;
};

function Choose({ failure, cancelled, whose, refused, onMake }: ChooseProps) {
  const t = useTranslations('exporting');
  const id = useId();
  const first = useRef<HTMLInputElement>(null);
  const [format, setFormat] = useState<ExportFormatName | null>(null);
  const [missing, setMissing] = useState(false);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (format) return onMake(format);
    setMissing(true);
    first.current?.focus();
  };

  return (
    <form onSubmit={submit} noValidate className="space-y-6">
      {failure?.code === 'EXPORT_BROKEN' ? (
        <div role="alert">
          <Alert tone="danger">
            <p>{t('broken')}</p>
          </Alert>
        </div>
      ) : (
        refused(failure)
      )}
      <p role="status" className="empty:hidden">
        {cancelled && t('cancelled')}
      </p>
      <fieldset className="space-y-3" aria-describedby={missing ? `${id}-missing` : undefined}>
        <legend className="pb-3 text-xl font-bold">{t('formats')}</legend>
        {missing && !format && (
          <p id={`${id}-missing`} className="font-semibold text-danger-ink">
            {t('choose')}
          </p>
        )}
        {FORMATS.map((one, index) => (
          <label
            key={one}
            className="flex cursor-pointer gap-4 rounded-lg border-2 border-edge bg-surface p-4 hover:border-ink hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft sm:p-5"
          >
            <input
              ref={index === 0 ? first : undefined}
              type="radio"
              name={`${id}-format`}
              value={one}
              checked={format === one}
              onChange={() => setFormat(one)}
              className="mt-1 size-6 shrink-0 accent-accent"
            />
            <span className="min-w-0">
              <span className="block text-lg font-bold">{t(`format.${one}.name`)}</span>
              <span className="block text-muted">{t(`format.${one}.what`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <p>{t('careful', { whose })}</p>
      <Button type="submit" size="large">
        {t('make')}
      </Button>
    </form>
  );
}

function Making({ bytes, recordCount, onCancel }: Progress & { onCancel: () => void }) {
  const t = useTranslations('exporting');
  const region = regionOf(useLocale());
  return (
    <Screen key="making" title={t('making')} className="space-y-4">
      <progress
        aria-label={t('making')}
        className="block h-3 w-full appearance-none overflow-hidden rounded-sm border border-edge bg-sunken text-accent indeterminate:animate-breathe indeterminate:bg-accent-soft"
      />
      <p className="tabular-nums">
        {recordCount === null ? t('preparing') : t('soFar', { count: recordCount, size: formatBytes(region, bytes) })}
      </p>
      <Button look="secondary" size="large" onClick={onCancel}>
        {t('cancel')}
      </Button>
    </Screen>
  );
}

type ReadyProps = Pick<ExportProps, 'whose'> & {
  file: Blob;
  name: string;
  recordCount: number;
  onAnother: () => void;
};

function Ready({ file, name, recordCount, whose, onAnother }: ReadyProps) {
  const t = useTranslations('exporting');
  const region = regionOf(useLocale());
  const url = useObjectUrl(file);
  return (
    <Screen key="ready" title={t('ready.title')} className="space-y-4">
      <p>
        <span className="font-semibold break-words" translate="no">
          {name}
        </span>{' '}
        <span className="text-muted">({formatBytes(region, file.size)})</span>
      </p>
      <p>{t('ready.what', { count: recordCount })}</p>
      <div className="flex flex-col gap-3 sm:flex-row">
        <Button asChild size="large">
          <a href={url} download={name}>
            <Download aria-hidden />
            {t('ready.save')}
          </a>
        </Button>
        <Button look="secondary" size="large" onClick={onAnother}>
          {t('ready.another')}
        </Button>
      </div>
      <p className="text-muted">{t('careful', { whose })}</p>
    </Screen>
  );
}

function useObjectUrl(file: Blob): string | undefined {
  const [url, setUrl] = useState<string>();

  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);

  return url;
}
