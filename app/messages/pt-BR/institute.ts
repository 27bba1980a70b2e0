/** The pages of the institute. */
export default {
  title: 'Instituto',
  lead: 'O instituto decide quais instituições são admitidas e certificadas. Cada decisão fica no registro público.',

  key: {
    label: 'Chave do instituto',
    what: 'Ela fica só na memória desta página. É enviada com cada decisão, e esquecida dez minutos depois de você digitá-la, ou quando você sai da página ou a recarrega.',
    use: 'Usar esta chave',
    empty: 'Digite a chave.',
    held: 'Uma chave está guardada até as {time}.',
    forget: 'Esquecer a chave',
    forgotten: 'A chave foi esquecida.',
    first: 'Digite antes a sua chave do instituto.',
    hidden: 'A chave não é mostrada. O serviço diz de quem ela é quando você decide.',
  },

  back: 'Voltar às propostas',
  pending: 'Propostas à espera de uma segunda chave',
  nonePending: 'Nenhuma proposta está à espera.',
  closed: 'Propostas encerradas',
  noneClosed: 'Nenhuma foi encerrada ainda.',
  open: 'Propor algo',
  openWhat:
    'Suspender, readmitir ou revogar uma instituição, ou mudar o nível da certificação dela. Duas de três chaves decidem.',
  certify: 'Certificar uma instituição',
  certifyWhat: 'Com categorias, finalidades e um fim. Uma só chave decide, na hora.',

  does: {
    suspendIEO: 'Suspender {name}',
    reinstateIEO: 'Readmitir {name}',
    revokeIEO: 'Revogar {name} para sempre',
    changeCertLevel: 'Mudar a certificação de {name}',
  },
  effect: {
    suspendIEO:
      'Ela não poderá enviar, ler nem receber consentimentos até ser readmitida. Os consentimentos dela ficam, e voltam a valer então.',
    reinstateIEO:
      'Ela poderá enviar, ler e receber consentimentos de novo. Os consentimentos ainda em vigor voltam a valer.',
    revokeIEO:
      'Ela nunca mais poderá fazer nada, e todos os consentimentos que recebeu terminam. Isso não pode ser desfeito.',
    changeCertLevel: 'A certificação dela será “{level}”{until, select, none {, sem fim.} other {, até {until}.}}',
  },

  proposal: {
    about: 'Instituição',
    reason: 'Motivo',
    why: 'Por que é proposto',
    approvedBy: 'Aprovada',
    approver: 'Chave {approver, number}, {day}',
    expires: 'Expira em',
    executed: 'Executada em',
    state: { PENDING: 'À espera', EXECUTED: 'Executada', EXPIRED: 'Expirada' },
    approve: 'Aprovar',
    approveTitle: 'Aprovar esta proposta?',
    second: 'A sua é a segunda chave: a decisão é executada na hora.',
    yes: 'Aprovar e executar',
    no: 'Não aprovar',
    ledger: 'No registro público',
    approved: 'Foi executado: {what}.',
  },

  propose: {
    title: 'Propor algo',
    action: 'O que deve ser feito?',
    noAction: 'Escolha uma opção.',
    choice: {
      suspendIEO: { name: 'Suspender', what: 'Por um tempo: ela pode ser readmitida.' },
      reinstateIEO: { name: 'Readmitir', what: 'Uma instituição suspensa volta a trabalhar.' },
      revokeIEO: { name: 'Revogar', what: 'Para sempre: os consentimentos dela terminam.' },
      changeCertLevel: { name: 'Mudar o nível', what: 'Da certificação; categorias e finalidades ficam.' },
    },
    institution: 'Qual instituição?',
    searchHint: 'Digite o começo do nome, ou o domínio inteiro.',
    noInstitution: 'Escolha uma instituição.',
    nobody: 'Nenhuma instituição para a qual isso possa ser feito tem esse nome.',
    chosen: 'Escolhida: {name} ({domain})',
    another: 'Escolher outra',
    level: 'Novo nível',
    noLevel: 'Escolha um nível.',
    expires: 'Termina em',
    expiresHint: 'Deixe em branco se não tiver fim.',
    badDay: 'Escolha um dia depois de hoje.',
    reason: 'Motivo',
    reasonHint: 'Todos podem ler, para sempre. No máximo 500 caracteres.',
    noReason: 'Diga por quê.',
    why: 'Por que você propõe isto',
    whyHint: 'Para as outras chaves, e público também. No máximo 1000 caracteres.',
    first: 'A sua é a primeira aprovação. Uma segunda chave a executa, dentro de sete dias.',
    send: 'Abrir a proposta',
    sending: 'Abrindo a proposta …',
    done: 'A proposta está aberta, e aprovada pela sua chave. Agora precisa de uma segunda chave.',
  },

  certifying: {
    title: 'Certificar uma instituição',
    lead: 'Uma só chave decide, na hora. Substitui a certificação inteira: o que ficar em branco é removido.',
    scope:
      'Finalidades e dados restringem aquilo para o que uma instituição aparece como certificada. Não restringem o que as pessoas podem permitir a ela.',
    intents: 'Certificada para estas finalidades',
    intentsHint: 'Aparece como certificada só para o que você marcar. Sem marcar nada, vale para todas as finalidades.',
    categories: 'Certificada para dados sobre',
    categoriesHint: 'Aparece como certificada só para o que você marcar. Sem marcar nada, vale para todos os dados.',
    send: 'Certificar agora',
    sending: 'Certificando …',
    done: '{name} está certificada: {level}.',
    withdrawn: 'A certificação de {name} foi retirada.',
  },

  problem: {
    INSTITUTE_KEY_INVALID: 'Esta não é nenhuma das chaves do instituto. Nada foi decidido. Digite a chave de novo.',
    INSTITUTE_KEY_MISSING: 'A chave não chegou. Nada foi decidido. Digite a chave de novo.',
    ALREADY_APPROVED: 'Esta chave já aprovou a proposta. A segunda precisa ser outra chave.',
    REQUEST_CLOSED: 'Esta proposta está encerrada: foi executada, ou expirou. Abra-a de novo se ainda for necessária.',
    PROPOSAL_NOT_FOUND: 'Não há tal proposta.',
    IEO_NOT_ACTIVE: 'A situação atual da instituição não permite isso. A proposta continua aberta.',
    IEO_LOCKED: 'A instituição está bloqueada pela própria chave, o que não permite isso. A proposta continua aberta.',
    IEO_DESTROYED: 'A instituição foi destruída pela própria chave. Não há mais nada a decidir.',
    IEO_NOT_FOUND: 'Não há tal instituição.',
    NOT_LOCKED: 'A instituição não está suspensa, portanto não pode ser readmitida.',
    UNREACHABLE:
      'Não veio resposta, e não se sabe se a decisão foi tomada. Olhe a lista de propostas antes de fazer de novo.',
  },
};
