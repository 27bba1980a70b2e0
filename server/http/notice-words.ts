import type { Language } from '../language.ts';

/** What a page was refused for: too many requests; a part of the service is away; a failure of ours. */
export type Notice = 'busy' | 'unavailable' | 'broken';

export type NoticeWords = Readonly<Record<Notice, { readonly title: string; readonly body: string }>> & {
  readonly wait: (seconds: number) => string;
  readonly retry: string;
  /** Stands before the request id. */
  readonly reference: string;
};

export const noticeWords = (language: Language): NoticeWords => WORDS[language];

const WORDS: Readonly<Record<Language, NoticeWords>> = {
  en: {
    busy: {
      title: 'Please wait a moment',
      body: 'Many pages were opened from your connection in a short time. Nothing was lost or changed.',
    },
    unavailable: {
      title: 'Please try again shortly',
      body: 'We cannot show this page at the moment. Nothing was lost or changed.',
    },
    broken: {
      title: 'This page could not be shown',
      body: 'Something went wrong on our side. Nothing was changed by it.',
    },
    wait: (seconds) => `You can continue in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    retry: 'Try again',
    reference: 'Reference:',
  },
  'pt-BR': {
    busy: {
      title: 'Aguarde um momento',
      body: 'Muitas páginas foram abertas pela sua conexão em pouco tempo. Nada foi perdido nem alterado.',
    },
    unavailable: {
      title: 'Tente de novo daqui a pouco',
      body: 'Não conseguimos mostrar esta página no momento. Nada foi perdido nem alterado.',
    },
    broken: {
      title: 'Não foi possível mostrar esta página',
      body: 'Algo deu errado do nosso lado. Nada foi alterado por isso.',
    },
    wait: (seconds) => `Você pode continuar em ${seconds} ${seconds === 1 ? 'segundo' : 'segundos'}.`,
    retry: 'Tentar de novo',
    reference: 'Referência:',
  },
  es: {
    busy: {
      title: 'Espere un momento',
      body: 'Se abrieron muchas páginas desde su conexión en poco tiempo. Nada se perdió ni cambió.',
    },
    unavailable: {
      title: 'Inténtelo de nuevo en un momento',
      body: 'Ahora mismo no podemos mostrar esta página. Nada se perdió ni cambió.',
    },
    broken: {
      title: 'No se pudo mostrar esta página',
      body: 'Algo salió mal de nuestro lado. Nada cambió por ello.',
    },
    wait: (seconds) => `Puede continuar en ${seconds} ${seconds === 1 ? 'segundo' : 'segundos'}.`,
    retry: 'Intentar de nuevo',
    reference: 'Referencia:',
  },
};
