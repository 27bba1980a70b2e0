'use client';

import { Download } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../../_ui/button.tsx';
import { CopyButton } from '../../_ui/copy-button.tsx';
import { textLink } from '../../_ui/text-link.ts';
import type { Fetched } from './use-check.ts';

type ProofFileProps = {
  fetched: Fetched;
  seq: number;
  /** How many witnesses cosigned what was checked. */
  cosigners: number;
};

/** The proof as a file, and how to check it later without this site. */
export function ProofFile({ fetched, seq, cosigners }: ProofFileProps) {
  const t = useTranslations('explore.check.file');
  const { name, content, options } = fileOf(fetched, seq, cosigners);
  const command = ['node', 'check-proof.mjs', name, ...options].map(quoted).join(' ');

  const download = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };

  return (
    <section aria-labelledby="proof-file" className="mt-8">
      <h3 id="proof-file" className="text-lg">
        {t('title')}
      </h3>
      <p className="mt-1 mb-4">{t('what', { kind: fetched.kind })}</p>
      <Button look="secondary" onClick={download}>
        <Download aria-hidden />
        {t('download')}
      </Button>
      <p className="mt-4">
        <a href="/check-proof.mjs" download className={`${textLink} inline-flex min-h-11 items-center`}>
          {t('script')}
        </a>
      </p>
      <p className="mt-1">{t('run')}</p>
      <div className="mt-2 flex items-start gap-1">
        <code className="grow rounded-md border border-line bg-sunken p-3 font-mono text-sm break-all" translate="no">
          {command}
        </code>
        <CopyButton value={command} what="command" />
      </div>
      <p className="mt-2 text-sm text-muted">{t('key', { kind: fetched.kind })}</p>
    </section>
  );
}

/** The file, and the options with which the script checks it as this page did. */
function fileOf({ kind, proof }: Fetched, seq: number, cosigners: number) {
  const name = `perpetua-proof-${seq}`;
  if (kind === 'chain') {
    return { name: `${name}.json`, content: `${JSON.stringify(proof)}\n`, options: [proof.relayer_public_key] };
  }
  const witnesses = proof.witnesses.flatMap((key) => ['--witness', key]);
  const quorum = witnesses.length > 0 ? ['--quorum', String(cosigners)] : [];
  return { name: `${name}.tlog-proof`, content: proof.file, options: ['--log', proof.log, ...witnesses, ...quorum] };
}

/** For a shell: the name of a witness may contain any character except spaces. */
const quoted = (argument: string): string =>
  /^[\w./:@+=-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
