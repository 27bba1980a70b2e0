import type english from '../en/guarded.ts';

export default {
  title: 'De quem você é guardião',
  lead: 'Se você é guardião de alguém, sua chave mostra de quem, se você pode ajudar no momento, e permite renunciar.',
  which: 'Com qual chave você é guardião?',
  reading: 'Procurando de quem esta chave é guardiã…',
  retry: 'Tentar de novo',
  count:
    '{count, plural, =0 {Esta chave não guarda ninguém. Se você aceitou um convite com outra chave, bloqueie esta e abra a outra.} one {Esta chave guarda uma identidade.} other {Esta chave guarda # identidades.}}',
  ended: 'uma identidade que foi encerrada',
  state: {
    eligible: 'Você pode ajudar',
    unconfirmed: 'Ainda não confirmado',
    off: 'Recuperação desligada',
    leaving: 'Você foi removido',
  },
  said: {
    eligible: 'Se o titular perder a chave, você e mais um guardião podem dar uma nova à identidade.',
    unconfirmed:
      'Você ainda não pode ajudar: o titular não confirmou você. Peça que ligue para você e compare as seis palavras.',
    off: 'O titular desligou a recuperação; no momento nenhum guardião pode ajudar.',
    leaving: 'O titular removeu você. Até <when></when> você ainda pode confirmar uma recuperação.',
  },
  since: 'Você é o {role} desde <when>.</when>',
  others:
    '{count, plural, =0 {No momento nenhum guardião pode ajudar; são necessários {needed, number}.} one {No momento um guardião pode ajudar; são necessários {needed, number}.} other {No momento # guardiões podem ajudar; são necessários {needed, number}.}}',
  locked: 'O titular bloqueou a identidade. Você pode renunciar quando ela for desbloqueada.',
  words: {
    show: 'Mostrar minhas seis palavras',
    what: 'Leia-as quando o titular pedir, por telefone ou pessoalmente.',
    label: 'Suas seis palavras',
  },
  day: 'Você não precisa desta página para ajudar numa recuperação. Nesse dia você recebe um link; ligue para a pessoa antes de abri-lo.',
  lock: 'Bloquear a chave',
  resign: 'Renunciar',
  resigned: 'Você não é mais guardião de {domain}. Avise você a pessoa: este serviço não avisa.',
  leave: {
    title: 'Deixar de ser guardião de {domain}?',
    lead: 'Vale na hora e não pode ser desfeito. Para voltar a ser guardião, você precisa de um convite novo.',
    few: '{left, plural, =0 {Sem você, nenhum guardião pode ajudar {domain} no momento.} one {Sem você, resta um guardião que pode ajudar {domain}.} other {Sem você, restam # guardiões que podem ajudar {domain}.}} São necessários {needed, number}: uma chave perdida ficaria perdida. Avise antes a pessoa, para que ela convide outra.',
    tell: 'Avise você a pessoa: este serviço não avisa.',
    public: 'Público, para sempre: que um guardião renunciou, e quando. Nenhum nome.',
    yes: 'Sim, renunciar',
    sending: 'Assinando',
    no: 'Continuar guardião',
  },
} satisfies typeof english;
