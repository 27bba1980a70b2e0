'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { ConsentRequest } from '../../../../../protocol/consent-request.ts';
import { useInstitution } from '../../../../_session/current.tsx';
import { Alert } from '../../../../_ui/alert.tsx';
import { BackTo } from '../../../../_ui/back-to.tsx';
import { AskForm } from './ask-form.tsx';
import { RequestSheet } from './request-sheet.tsx';
import { useSignedRequest } from './use-signed-request.ts';

export interface MadeRequest {
  readonly request: ConsentRequest;
  readonly link: string;
}

/** A form, then what people get. The request is signed here; only one that no QR code holds is sent to the service. */
export function AskForConsent() {
  const t = useTranslations('institution.askConsent');
  const { view } = useInstitution();
  const { sending, failure, sign } = useSignedRequest(view.ieo_id);
  const [made, setMade] = useState<MadeRequest | null>(null);
  if (made) return <RequestSheet institution={view} made={made} onAgain={() => setMade(null)} />;
  return (
    <div className="max-w-form space-y-5">
      <BackTo href="/institution/consents">{t('back')}</BackTo>
      <h1>{t('title')}</h1>
      {view.status !== 'ACTIVE' ? (
        <Alert tone="caution">
          <p>{t('notActive')}</p>
        </Alert>
      ) : (
        <AskForm
          type={view.ieo_type}
          isSending={sending}
          failure={failure}
          onSign={async (fields) => {
            const signed = await sign(fields);
            if (signed) setMade(signed);
          }}
        />
      )}
    </div>
  );
}
