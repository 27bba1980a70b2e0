'use client';

import { Download } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import type { Proof } from '../../../protocol/ledger/proof.ts';
import { Button } from '../../_ui/button.tsx';
import { CopyButton } from '../../_ui/copy-button.tsx';
import { textLink } from '../../_ui/text-link.ts';

/** The proof as a file, and how to check it later without this site. */
export function ProofFile({ proof, seq }: { proof: Proof; seq: number }) {
  const t = useTranslations('explore.check.file');
  const name = `perpetua-proof-${seq}.json`;
  const command = `node check-proof.mjs ${name} ${proof.relayer_public_key}`;

  const download = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([`${JSON.stringify(proof)}\n`], { type: 'application/json' }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };

  return (
    <section aria-labelledby="proof-file" className="mt-8">
      <h3 id="proof-file" className="text-lg">
        {t('title')}
      </h3>
      <p className="mt-1 mb-4">{t('what')}</p>
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
      <p className="mt-2 text-sm text-muted">{t('key')}</p>
    </section>
  );
}
