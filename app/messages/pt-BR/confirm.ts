import type english from '../en/confirm.ts';

export default {
  title: 'Um pedido a um guardião',
  doubt: 'Tenho dúvidas sobre isso',
  ask: {
    title: '{domain} pede uma chave nova',
    lead: 'Alguém diz que a chave de {domain} se perdeu e pede ajuda a você, como guardião.',
    effect: 'Quando dois guardiões confirmam, a identidade recebe na hora uma chave nova, e a antiga deixa de valer.',
    anybody:
      'Qualquer pessoa pode fazer um pedido assim. Cabe a você descobrir se ele vem da pessoa certa; as próximas telas mostram como.',
    standing:
      '{confirmations, plural, =0 {Nenhum guardião confirmou ainda. São necessários dois.} one {# guardião confirmou até agora. São necessários dois.} other {# guardiões confirmaram até agora.}}',
    until: 'O pedido vale até <when>.</when>',
  },
  call: {
    title: 'Ligue você para a pessoa',
    lead: 'Antes de qualquer outra coisa, fale com a pessoa por trás de {domain}.',
    number:
      '<b>Use um número que você já conhece.</b> Nunca um que veio numa mensagem. Se ligaram para você, desligue e ligue de volta.',
    voice: '<b>Preste atenção na voz.</b> Pergunte algo que só vocês dois sabem.',
    words: '<b>Pergunte se a pessoa perdeu a chave</b> e peça que leia as seis palavras da tela dela.',
    ready: 'Estou com ela ao telefone',
    cannot: 'Não consigo falar com ela',
  },
  words: {
    title: 'Digite as seis palavras que ouvir',
    hint: 'As palavras são em inglês em qualquer idioma. Digite as primeiras letras e escolha; se tiver dúvida, peça que soletrem.',
    label: 'Palavra {number, number}',
    check: 'Conferir as palavras',
    missing: 'Faltam palavras. Digite as seis.',
    unlisted:
      '{count, plural, one {A palavra {numbers} não está na lista. Peça que soletrem.} other {As palavras {numbers} não estão na lista. Peça que soletrem.}}',
    mismatch: 'Estas não são as palavras deste pedido',
    slip: 'Talvez uma tenha sido mal ouvida. Peça as seis de novo, devagar, e compare uma a uma.',
    notTheirs:
      'Se ainda assim não baterem, este link pode ser de um pedido feito por outra pessoa. Nesse caso, não confirme.',
    stop: 'Pare aqui',
    stopBody:
      'As palavras não batem depois de várias tentativas. O mais provável é que este pedido não seja o que está na tela da pessoa com quem você fala. Não confirme. Peça que ela envie de novo o link da própria tela.',
    failed: 'Não foi possível conferir as palavras. Veja se há conexão e tente de novo.',
  },
  confirm: {
    title: 'Dar a {domain} a chave nova?',
    checked: 'Você falou com a pessoa por trás de {domain}, e as seis palavras batem.',
    first: 'Sua confirmação é a primeira. Nada muda até que mais um guardião confirme.',
    second:
      'Sua confirmação é a segunda. A chave nova passa a valer na hora, e a antiga deixa de valer. Não dá para voltar atrás.',
    public:
      'Sua assinatura passa a fazer parte do registro público, para sempre. Ela mostra sua chave de guardião, não o seu nome.',
    yes: 'Sim, confirmar',
    no: 'Não, agora não',
    sending: 'Enviando',
  },
  done: {
    title: 'Você confirmou',
    standing:
      '{confirmations, number} de {needed, number} guardiões confirmaram. Quando mais um confirmar, a identidade recebe a chave nova.',
    until: 'Isso é possível até <when>.</when>',
    todo: 'Avise a pessoa por trás de {domain} que a sua parte está feita. Ela também vê isso na tela dela.',
    executedTitle: '{domain} tem a chave nova',
    executed: 'Dois guardiões confirmaram. A chave antiga deixou de valer.',
    executedTodo: 'Avise a pessoa por trás de {domain} que está tudo pronto.',
    keep: 'Deixe sua chave de guardião onde está. Você continua sendo guardião.',
  },
  stop: {
    title: 'Na dúvida, não faça nada',
    body: 'Nada muda sem você. O pedido fica aberto até <when></when>, e um novo pode ser feito a qualquer momento.',
    signs: 'Não confirme se',
    signReach: 'você não conseguir falar com a própria pessoa,',
    signVoice: 'a voz ou as respostas não forem as certas,',
    signHurry: 'alguém insistir para você não ligar ou para ter pressa,',
    signWords: 'as seis palavras não baterem.',
    tell: 'Se achar que há outra pessoa por trás disto, avise a pessoa por trás de {domain} e quem você souber que também é guardião.',
    again: 'Voltar ao pedido',
  },
  confirmed: {
    title: 'Você já confirmou',
    todo: 'Você não precisa fazer mais nada. Se a pessoa por trás de {domain} ainda está esperando, falta outro guardião confirmar.',
  },
  executed: {
    title: '{domain} tem a chave nova',
    what: 'Dois guardiões confirmaram este pedido. Não há mais nada a fazer.',
    todo: 'Se você não confirmou e ninguém falou com você sobre isso, ligue para a pessoa por trás de {domain} e pergunte se está tudo bem.',
  },
  closed: {
    title: 'Este pedido está encerrado',
    what: 'Outro pedido para {domain} foi cumprido antes. Este não pode mais ser confirmado.',
    todo: 'Se ninguém falou com você sobre isso, ligue para a pessoa por trás de {domain} e pergunte se está tudo bem.',
  },
  expired: {
    title: 'Este pedido venceu',
    what: 'Os pedidos valem três dias, e este, para {domain}, é mais antigo. Nada mudou.',
    todo: 'Se a pessoa por trás de {domain} ainda precisa de uma chave nova, ela pode fazer um novo pedido e enviar o link a você.',
  },
  superseded: {
    title: 'Você não é mais guardião de {domain}',
    what: 'Você deixou de ser há mais de três dias, por isso sua confirmação não conta.',
    todo: 'Se mesmo assim alguém pedir sua ajuda, diga isso. Outros guardiões talvez possam ajudar.',
  },
} satisfies typeof english;
