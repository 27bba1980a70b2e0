import type { Fields } from '../../../../_session/send.ts';
import { useSignedBody } from '../../../../_session/write.tsx';
import { failureOf } from '../../../../_trpc/failure.ts';
import { useTRPCClient } from '../../../../_trpc/query-provider.tsx';
import { useSubmission } from '../../../../_wizard/use-submission.ts';
import type { MadeRequest } from './ask-for-consent.tsx';

/** Signs a request for a consent, and has the service keep it where it is too long for a QR code. */
export function useSignedRequest(ieoId: string) {
  const signedBody = useSignedBody();
  const client = useTRPCClient();
  const { sending, failure, submit } = useSubmission();

  const sign = async (fields: Fields): Promise<MadeRequest | null> => {
    const made = await submit(async () => {
      try {
        const body = await signedBody('askConsent', { ieoId, ...fields });
        if (!body) return { ok: false, failure: null } as const;
        const { signature, ...signed } = body;
        const protocol = await import('../../../../../protocol/consent-request.ts');
        const text = protocol.consentRequestText({ function: 'askConsent', ...signed }, signature);
        const request = protocol.readConsentRequest(text);
        if (!request) throw new Error('The request has another form than its page reads.');
        const { link, mustBeKept } = protocol.consentRequestLink(location.origin, request);
        if (mustBeKept) await client.keepRequest.mutate({ body });
        return { ok: true, made: { request, link } } as const;
      } catch (error) {
        return { ok: false, failure: failureOf(error) } as const;
      }
    });
    return made?.ok ? made.made : null;
  };
  return { sending, failure, sign };
}
