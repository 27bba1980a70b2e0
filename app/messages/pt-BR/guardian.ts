import type english from '../en/guardian.ts';

export default {
  step: 'Passo {step, number} de {steps, number}',
  titleOfStep: '{title} ({step, number} de {steps, number})',
  back: 'Voltar',
  continue: 'Continuar',
  todo: 'O que você pode fazer',
  print: 'Imprimir esta página',
  role: { primary: 'primeiro guardião', secondary: 'segundo guardião', tertiary: 'terceiro guardião' },
  noScripts: {
    title: 'Este passo precisa de JavaScript',
    body: 'Sua chave é criada e usada neste navegador e nunca sai dele. Para isso é preciso JavaScript. Ative-o ou abra o link em outro aparelho; nada se perde.',
  },
  unknown: {
    title: 'Não conhecemos este link',
    what: 'Talvez um pedaço dele tenha se perdido ao ser copiado ou repassado, ou ele tenha mais de um mês. Nada aconteceu.',
    todo: 'Abra o link direto na mensagem em que ele chegou. Se não adiantar, peça a quem enviou que mande de novo.',
  },
  destroyed: {
    title: 'Esta identidade não existe mais',
    what: 'O titular a encerrou para sempre, e este link com ela. Nada aconteceu com a sua chave.',
    todo: 'Você não precisa fazer nada. Se isso o surpreende, ligue para quem enviou o link.',
  },
  restored: {
    title: 'Este link é de antes da reconstrução do serviço',
    what: 'O serviço foi refeito a partir do seu registro público, que não guarda links. Nada aconteceu, e quem era guardião continua sendo.',
    todo: 'Peça um link novo a quem enviou este.',
  },
  busy: {
    title: 'O serviço está sobrecarregado',
    what: 'No momento ele não consegue consultar o seu link. Nada aconteceu, e o link continua valendo.',
    todo: 'Espere um minuto e abra o link de novo.',
  },
  broken: {
    title: 'Não foi possível mostrar esta página',
    body: 'Algo deu errado do nosso lado. Nada foi alterado, e o seu link continua valendo.',
    reference: 'Se for perguntar sobre isso, informe esta referência:',
    retry: 'Tentar de novo',
  },
  failed: 'Não deu certo',
  errors: {
    UNREACHABLE:
      'Não conseguimos falar com o servidor, ou a resposta dele não chegou até você. Verifique a conexão e tente de novo: nada é feito duas vezes. Sua chave está a salvo.',
    UNAVAILABLE: 'O serviço está sobrecarregado. Espere um minuto e tente de novo. Sua chave está a salvo.',
    RATE_LIMITED: 'Vieram pedidos demais da sua rede. Espere um minuto e tente de novo. Sua chave está a salvo.',
    INTERNAL: 'Algo deu errado do nosso lado. Nada foi alterado. Tente de novo em um minuto.',
    TIMESTAMP: 'O relógio deste aparelho está errado. Acerte a data e a hora e tente de novo. Sua chave está a salvo.',
    LINK_NOT_FOUND: 'Este link não existe mais. Peça um novo a quem o enviou.',
    LINK_EXPIRED: 'Este link deixou de valer enquanto isso. Peça um novo a quem o enviou.',
    LINK_USED: 'Este link foi usado enquanto isso, e não com a sua chave.',
    BEO_LOCKED: 'A identidade foi bloqueada enquanto isso. Peça ao titular que a desbloqueie e tente de novo.',
    BEO_DESTROYED: 'A identidade foi encerrada enquanto isso. Não há mais nada a fazer.',
    PUBLIC_KEY_TAKEN:
      'Esta chave já representa outra pessoa nesta identidade. Cada guardião precisa de uma chave própria.',
    INVALID_SIGNATURE: 'O servidor esperava a assinatura de outra chave. Abra a chave que recebeu o convite.',
    REQUEST_CLOSED: 'Este pedido foi encerrado enquanto isso.',
    ALREADY_CONFIRMED: 'Você já confirmou este pedido.',
    OTHER: 'O servidor não aceitou ({code}). Nada foi alterado. Tente de novo ou fale com quem enviou o link.',
  },
} satisfies typeof english;
