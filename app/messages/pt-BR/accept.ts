import type english from '../en/accept.ts';

export default {
  title: 'Um convite para ser guardião',
  decline: 'Não, prefiro não aceitar',
  who: {
    title: '{domain} pede que você seja guardião',
    lead: 'Se a pessoa por trás de {domain} um dia perder a chave, dois guardiões juntos podem dar uma nova à identidade. Ela gostaria que você fosse um deles.',
    question: 'Você sabe quem é?',
    check:
      'Esta página não pode dizer: aqui os nomes são privados. Você deve saber por quem lhe enviou o link. Se tiver dúvida, pergunte antes.',
    until: 'O convite vale até <when>.</when>',
    yes: 'Sim, sei quem é',
    unsure: 'Não tenho certeza de quem é',
  },
  ask: {
    title: 'Então pergunte antes de continuar',
    how: 'Ligue para a pessoa em quem você está pensando, num número que você já conhece, e pergunte: “{domain} é você? Foi você que me convidou?”',
    nothing: 'Nada foi enviado, e nada acontece se você não fizer nada. O convite acaba sozinho em <when>.</when>',
    stranger: 'Se ninguém que você conhece enviou este link, feche a página e esqueça o assunto.',
    yes: 'Perguntei e sei quem é',
  },
  no: {
    title: 'Tudo bem',
    body: 'É um favor, e você pode dizer não. Nada foi enviado, e esta página não avisa ninguém.',
    tell: 'Por favor, avise a pessoa por trás de {domain}, para que ela possa pedir a outra. Senão, o convite acaba sozinho em <when>.</when>',
    again: 'Mudei de ideia',
  },
  what: {
    title: 'O que um guardião pode fazer, e o que não pode',
    can: 'Você pode',
    canHelp: 'ajudar a dar uma chave nova a {domain}, se o titular pedir a você e outro guardião também confirmar.',
    cannot: 'Você não pode',
    cannotRead: 'ver dados de saúde nem qualquer outra coisa privada.',
    cannotAlone: 'mudar nada por conta própria. São sempre necessários dois guardiões.',
    cannotSpend: 'gastar dinheiro, assinar ou decidir nada em nome da pessoa.',
    cost: 'Quanto custa',
    costNothing: 'Nada, nem agora nem depois. Você não precisa de conta e pode pedir para sair quando quiser.',
    public: 'O que fica público para sempre',
    publicKey:
      'Que {domain} tem um guardião com certa chave pública, um número comprido. Ela é gravada num registro público que ninguém pode mudar depois, nem nós. Nada nela diz quem você é.',
  },
  day: {
    title: 'O que fazer no dia em que precisarem de você',
    lead: 'Você vai receber um link, como hoje. Então:',
    call: '<b>Ligue você</b>, num número que você já conhece. Nunca use um que veio numa mensagem.',
    voice: '<b>Preste atenção na voz.</b> Pergunte algo que só vocês dois sabem.',
    words: '<b>Peça seis palavras.</b> A pessoa lê, você digita. Só as palavras certas deixam você continuar.',
    key: '<b>Abra a sua chave</b>, a que você vai criar agora, e confirme.',
    hurry:
      'Se alguém estiver com muita pressa e você não conseguir ouvir a voz certa, não faça nada. Esperar não prejudica ninguém.',
    next: 'Entendi, criar minha chave',
  },
  key: {
    bound:
      'Este convite é para uma chave que você já tem, como guardião de {domain} ou de outra pessoa. Nenhuma outra chave pode aceitá-lo.',
    making: 'Criando sua chave',
    makingBody: 'Ela é criada neste navegador e nunca sai dele.',
    failed: 'Não foi possível criar sua chave',
    failedBody:
      'Verifique a conexão e tente de novo. Se não adiantar, abra o link num navegador atualizado, neste ou em outro aparelho. Nada se perdeu.',
    retry: 'Tentar de novo',
    kept: 'Você já guardou sua chave',
    keptBody: 'Você tem uma cópia sua e pode continuar. Se quiser, guarde uma segunda cópia em outro lugar.',
    again: 'Guardar outra cópia',
    own: 'Usar uma chave que já tenho',
    ownNew: 'Criar uma chave nova',
    ownTitle: 'Usar esta chave?',
    ownPublic: 'Esta é a parte pública dela. Ela fica pública como a chave de um guardião de {domain}.',
    ownName: 'chave pública',
    ownCompare:
      'Compare com a chave pública que o seu outro programa mostra. Se for diferente, você colou outra coisa, talvez a própria chave pública.',
    ownSame:
      'Se você usa esta chave em outro lugar, qualquer um pode ver que as duas são da mesma pessoa. Uma chave nova evita isso.',
    ownYes: 'Usar esta chave',
    ownAnother: 'Escolher outra chave',
  },
  accept: {
    title: 'Você quer ser guardião de {domain}?',
    lead: 'Sua chave está guardada. Até agora, nada foi enviado.',
    sends:
      'Se você aceitar, este navegador envia sua chave pública e sua assinatura, mais nada. As duas ficam públicas para sempre.',
    role: 'Você será o {role}.',
    yes: 'Sim, aceito',
    sending: 'Enviando',
  },
  done: {
    title: 'Você é guardião de {domain}',
    lead: 'Agradecemos. Seu aceite chegou.',
    words: 'Seis palavras para comparar',
    wordsBody:
      'A pessoa por trás de {domain} vai pedir estas palavras a você, para ter certeza de que foi a sua chave que chegou. Leia-as para ela por telefone ou pessoalmente.',
    next: 'O que acontece agora',
    nextConfirm: 'Ela compara as palavras e confirma você. Você não precisa fazer nada.',
    nextKeep:
      'Guarde bem a sua cópia da chave: o arquivo, as 24 palavras ou onde quer que ela esteja. Navegadores esquecem, e sem a chave você não pode ajudar.',
    nextLost: 'Se perder a chave, avise. A pessoa pode convidar você de novo.',
    nextDay: 'No dia em que precisarem de você: ligue você, preste atenção na voz, peça as seis palavras.',
    close: 'Você já pode fechar esta página.',
  },
  used: {
    title: 'Este convite já foi usado',
    what: 'Ele já foi aceito, e um link só funciona uma vez.',
    you: 'Se foi você, está tudo certo. Guarde bem a sua cópia da chave.',
    other:
      'Se não foi você, avise logo a pessoa por trás de {domain}. Ela deve remover esse guardião e convidar você de novo.',
    words: 'Se foi você e ainda precisa das seis palavras para comparar, abra sua chave.',
    show: 'Abrir minha chave e ver as seis palavras',
  },
  expired: {
    title: 'Este convite venceu',
    what: 'Os convites valem três dias, e o de {domain} é mais antigo. Nada aconteceu.',
    todo: 'Se você ainda quiser ajudar, peça à pessoa por trás de {domain} que convide você de novo.',
  },
  superseded: {
    title: 'Este convite não vale mais',
    what: 'Ele foi retirado, ou um mais novo ocupou o lugar dele. Nada aconteceu.',
    todo: 'Veja se você recebeu um link mais novo. Se não, pergunte a quem convidou você.',
  },
  locked: {
    title: '{domain} está bloqueada',
    what: 'O titular bloqueou a identidade, e até que ela seja desbloqueada ninguém pode se tornar guardião. Seu convite continua valendo até <when>.</when>',
    todo: 'Fale com a pessoa por trás de {domain}. Quando ela tiver desbloqueado, abra este link de novo.',
    other: 'Se ela não souber de nada, outra pessoa pode ter a chave dela: é preciso agir já.',
  },
} satisfies typeof english;
