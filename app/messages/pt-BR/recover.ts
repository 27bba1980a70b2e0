import type english from '../en/recover.ts';

export default {
  title: 'Perdeu sua chave?',
  start: {
    title: 'Perdeu sua chave?',
    lead: 'Dois dos seus guardiões, juntos, podem dar uma nova chave à sua identidade. Você só precisa do domínio dela.',
    calm: 'Vá com calma. Nada muda até que dois guardiões confirmem, e você pode parar quando quiser.',
    label: 'O domínio da sua identidade',
    hint: 'Ele termina em .{suffix}. Essa parte você pode deixar de fora.',
    submit: 'Continuar',
  },
  unfinished: {
    title: 'Você já começou',
    body: 'Este navegador se lembra da recuperação de {domain}. Nada se perdeu.',
    resume: 'Continuar de onde parei',
  },
  malformed: {
    error:
      '“{reference}” não pode ser um domínio. Um domínio é feito das letras de a a z, números, hifens e pontos, e termina em .{suffix}.',
  },
  nobody: {
    error:
      'Não existe nenhuma identidade {reference}. Todas as letras estão certas? Uma identidade que o titular encerrou não tem mais domínio.',
  },
  unavailable: {
    title: 'Não foi possível procurar',
    body: 'O serviço não está respondendo no momento. Nada se perdeu. Espere um minuto e tente de novo.',
  },
  destroyed: {
    title: 'Esta identidade foi encerrada',
    body: 'O titular a encerrou para sempre, e ninguém pode trazê-la de volta, nem os guardiões. Você pode começar uma nova identidade.',
  },
  helpless: {
    title: 'Os guardiões não podem recuperar {domain}',
    what: '{guardians, plural, =0 {Ela não tem nenhum guardião que conte, e são necessários dois.} other {Ela tem um guardião que conta, e são necessários dois.}}',
    counts:
      'Um guardião conta depois que aceitou o convite. Se você confirmou algum dos seus guardiões, só contam os que você confirmou.',
    todo: 'O que ainda dá para fazer',
    pending:
      'Alguém que você convidou ainda não aceitou. Peça que abra o link e aceite, e depois carregue esta página de novo.',
    look: 'Procure sua chave: um arquivo cujo nome começa com perpetua e termina em .json, ou 24 palavras no papel ou em um cartão impresso.',
    devices: 'Tente em todos os navegadores e aparelhos em que você já usou esta identidade.',
    otherwise:
      'Sem a chave e sem dois guardiões, esta identidade não pode ser recuperada. Hoje isso é duro, mas é também o que deixa estranhos do lado de fora. Você pode começar uma nova identidade.',
  },
  found: {
    title: 'Uma nova chave para {domain}',
    lead: '{guardians, plural, =2 {Ela tem dois guardiões que podem ajudar, e os dois precisam confirmar.} other {Ela tem {guardians, number} guardiões que podem ajudar. Dois deles precisam confirmar.}}',
    lockedTitle: 'Ela está bloqueada',
    locked: 'Mesmo assim dá para recuperá-la. Ela continua bloqueada até você desbloqueá-la com a nova chave.',
    underwayTitle: 'Já existe uma recuperação em andamento',
    underway:
      '{confirmations, number} de {needed, number} guardiões confirmaram uma nova chave. O pedido fica aberto até <when></when>.',
    yours: '<b>Se for sua,</b> continue onde você começou, ou abra aqui a nova chave que você guardou.',
    notYours:
      '<b>Se não for sua,</b> ligue agora para os seus guardiões. Peça que não confirmem nada antes de ouvir a sua voz e as suas seis palavras. Depois continue aqui.',
    look: 'Antes de continuar, procure mais uma vez: um arquivo cujo nome começa com perpetua, ou 24 palavras no papel? Com um deles você não precisa da ajuda de ninguém.',
    next: 'Perdi minha chave, continuar',
    mine: 'É minha: abrir minha nova chave',
    haveKey: 'Encontrei minha chave',
    another: 'Outro domínio',
  },
  what: {
    title: 'O que vai acontecer',
    key: '<b>Uma nova chave é criada aqui,</b> no seu aparelho. Você guarda uma cópia dela.',
    links: '<b>Você recebe um link para cada guardião</b> e envia a cada um o seu.',
    call: '<b>Vocês conversam.</b> O guardião pede seis palavras, e você as lê em voz alta.',
    done: '<b>Quando dois tiverem confirmado,</b> {domain} passa a ter a nova chave. Nesse momento a antiga deixa de funcionar.',
    time: 'Eles têm 72 horas para isso. Se não bastar, você pede de novo com a mesma chave.',
    publicTitle: 'O que se torna público, para sempre',
    public:
      'Assim que um guardião confirma: que {domain} está recebendo uma nova chave com a ajuda de guardiões, e as chaves públicas. Nenhum nome. O pedido em si não fica registrado.',
    next: 'Entendi, criar minha nova chave',
  },
  key: {
    making: 'Criando sua nova chave',
    makingBody: 'Ela é criada neste navegador e nunca sai dele.',
    failed: 'Este navegador não consegue criar uma chave',
    failedBody: 'Abra esta página de novo em um navegador atualizado, neste ou em outro aparelho. Nada se perdeu.',
    kept: 'Sua nova chave está guardada',
    keptBody: 'Você tem uma cópia só sua e já pode continuar. Se quiser, guarde uma segunda cópia em outro lugar.',
    again: 'Guardar outra cópia',
    lostTitle: 'Este navegador perdeu sua nova chave',
    lost: 'Seu pedido continua valendo. Abra a cópia que você guardou.',
    anotherKey: 'Não tenho a cópia: começar de novo com outra chave',
  },
  forgetful: {
    title: 'Este navegador não guarda nada',
    body: 'Talvez esteja no modo privado. Deixe esta página aberta até terminar.',
  },
  ask: {
    title: 'Pedir agora aos seus guardiões?',
    lead: 'Sua nova chave está guardada. Agora esta página cria um link para cada um dos seus guardiões.',
    againTitle: 'Pedir de novo aos seus guardiões?',
    againLead:
      'Você recebe novos links, que valem por mais 72 horas. A chave e as seis palavras continuam as mesmas. Quem confirmou um pedido anterior precisa confirmar este também.',
    nothingYet: 'Com isso nada muda ainda: só duas confirmações mudam.',
    mails:
      'Também tentamos escrever aos guardiões cujo e-mail você nos deu. Os e-mails podem não chegar: envie os links você também.',
    yes: 'Criar os links',
    sending: 'Criando os links',
    anotherKey: 'Criar outra chave',
  },
  mismatch: {
    title: 'Pare: há algo errado',
    body: 'O servidor respondeu com seis palavras que não são da sua chave. Não envie nenhum link e não leia nenhuma palavra para ninguém.',
    todo: 'Sua chave está segura e nada mudou. Feche esta página. Tente de novo em outra rede e em outro aparelho, e avise quem cuida deste serviço.',
  },
  links: {
    title: 'Envie a cada guardião o link dele',
    lead: 'Envie como vocês costumam conversar e avise que vai ligar.',
    noWords: 'Não envie as seis palavras junto. Você vai lê-las em voz alta.',
    who: 'Esta página não sabe o nome dos seus guardiões, só a ordem em que você os escolheu. Se você trocar dois, nada se perde: a página deles avisa, e você envia o outro link.',
    twice:
      'Se um papel aparece duas vezes, é porque passou para outra pessoa nos últimos três dias. Por enquanto as duas contam.',
    mailed:
      'Envie você cada link: um e-mail nosso pode não chegar. Se um guardião tiver um e-mail nosso com outro link, peça que use o que você enviou.',
    role: { primary: 'Seu primeiro guardião', secondary: 'Seu segundo guardião', tertiary: 'Seu terceiro guardião' },
    another: '{role}, pessoa {number, number}',
    message:
      'Perdi a chave de {domain} e preciso da sua ajuda como meu guardião. Por favor, ligue primeiro para mim, no número que você já conhece. Depois abra este link:',
    confirmed: 'já confirmou',
    superseded: 'não conta mais',
    elsewhereTitle: 'Os links estão no outro aparelho',
    elsewhere:
      'Eles foram criados lá e não ficam guardados em nenhum outro lugar. Se você não consegue chegar a eles, crie novos.',
    again: 'Criar novos links',
    next: 'Já enviei',
    print: 'Imprimir os links',
  },
  words: {
    title: 'Suas seis palavras',
    lead: 'Cada guardião vai pedir estas palavras. Leia devagar, nesta ordem.',
    english:
      'Elas são em inglês para todo mundo, e as mesmas para todos os seus guardiões. Se quiser, soletre: as quatro primeiras letras de cada uma bastam.',
    voice: 'Leia só em uma ligação feita por você, ou para quem você reconhece pela voz.',
    back: 'Se alguém ligar e você não tiver certeza, desligue e ligue de volta para um número que você já conhece.',
    never: 'Nunca as envie: nem com o link, nem em qualquer mensagem.',
    broken: 'As palavras não carregaram. Confira sua conexão e carregue a página de novo; nada se perde.',
    next: 'Ver quem já confirmou',
    links: 'Voltar aos links',
  },
  watch: {
    title:
      '{given, plural, =0 {Esperando seus guardiões} =1 {Um guardião já confirmou} other {# guardiões já confirmaram}}',
    tally: '{given, number} de {needed, number} guardiões confirmaram.',
    until: '{given, number} de {needed, number} confirmaram. Eles têm até <when></when>.',
    live: 'Esta página se atualiza sozinha. Você pode fechá-la e voltar neste navegador.',
    stay: 'Esta página se atualiza sozinha. Deixe-a aberta: este navegador não guarda nada.',
    unreachable: 'O servidor não está respondendo no momento. Continuamos tentando, e nada se perde.',
    confirmed: 'já confirmou',
    notYet: 'ainda não',
    words: 'As seis palavras',
    links: 'Os links',
    rivalTitle: 'Outra pessoa também está pedindo {domain}',
    rival:
      'Outro pedido, com outra chave, tem {confirmations, plural, one {# confirmação} other {# confirmações}}. Se não for seu, ligue agora para os seus guardiões. Só as suas seis palavras são as certas.',
    changedTitle: 'A chave antiga foi trocada nesse meio-tempo',
    changed:
      'Foi quem está com a sua chave antiga. Isso não impede você: quando dois guardiões confirmarem, a sua nova chave toma o lugar dela.',
    slowTitle: 'Se um guardião não responder',
    slowCall: 'Ligue. Muita gente não confia em links, e com razão.',
    slowOther: 'Dois quaisquer já bastam. Peça a outro.',
    slowKey: 'Um guardião que perdeu a própria chave não pode ajudar. Nesse caso, dependemos dos outros.',
    slowAgain: 'Um link se perdeu, ou o tempo está acabando? Crie novos links, com a mesma chave.',
  },
  ended: {
    again: 'Pedir de novo com a minha nova chave',
    expired: {
      title: 'As 72 horas acabaram',
      what: 'Menos de dois guardiões confirmaram a tempo. Nada mudou em {domain}.',
      todo: 'Sua nova chave continua boa, e as seis palavras também. Você precisa de novos links, e quem já confirmou precisa confirmar mais uma vez.',
    },
    overtaken: {
      title: '{domain} recebeu outra chave, que não é a sua',
      what: 'Dois guardiões confirmaram outro pedido, por isso este foi fechado.',
      todo: 'Foi você, em outro aparelho? Então a chave certa é a que você guardou lá.',
      stranger:
        'Se não foi você, ligue agora para os seus guardiões. Pergunte para quem eles confirmaram e diga que só as suas seis palavras são as certas. Depois peça de novo: dois deles podem dar a ela a sua chave.',
      open: 'Abrir a chave de lá',
    },
    destroyed: {
      title: '{domain} foi encerrada',
      what: 'Quem estava com a chave antiga encerrou a identidade para sempre, e ninguém pode trazê-la de volta.',
      todo: 'Todos os consentimentos terminaram com ela. Você pode começar uma nova identidade.',
    },
  },
  done: {
    title: '{domain} é sua de novo',
    lead: 'Dois guardiões confirmaram. De agora em diante vale a sua nova chave, e a antiga não funciona mais.',
    heldTitle: 'Sua chave é a certa',
    heldLead: 'Ela é a chave de {domain}. Você não precisa dos seus guardiões.',
    consentsTitle: 'Veja quem tem o seu consentimento',
    consents:
      'Seus consentimentos continuam como antes. Quem estava com a sua chave antiga pode ter dado alguns em seu nome, então confira agora.',
    heldConsents: 'Se outra pessoa pode ter tido acesso à sua chave, confira seus consentimentos.',
    review: 'Conferir meus consentimentos',
    keyTitle: 'Cuide da sua chave',
    key: 'Deixe o arquivo ou as 24 palavras onde você ainda vá encontrá-los daqui a alguns anos. Navegadores esquecem.',
    pagesTitle: 'Vá para as suas páginas',
    pages:
      'Ali você vê tudo sobre sua identidade e pode mudar o que quiser. Antes, você escolhe uma senha para este navegador.',
    toPages: 'Ir para minhas páginas',
    guardiansTitle: 'Avise seus guardiões',
    guardians: 'Conte que deu certo e agradeça. Eles não precisam mais esperar.',
    whoTheyAre:
      'Depois veja se ainda são as pessoas que você escolheu. Quem tinha sua chave antiga pode ter indicado alguém:',
    guardianSince: '{role}, desde <when></when>',
    guardianInvited: '{role}, com convite de <when></when>, ainda não aceitou',
    notYours:
      'Se alguém não for da sua confiança, você poderá trocar essa pessoa depois de um dia. Sozinha ela não pode fazer nada.',
    confirmAnew:
      'Se você comparou as seis palavras com seus guardiões nos últimos três dias, vamos pedir que faça isso mais uma vez.',
    waitTitle: 'Nas próximas 24 horas',
    wait: 'Encerrar a identidade e trocar os guardiões só será possível depois de um dia. É para a sua segurança.',
    unlock: {
      title: 'Sua identidade ainda está bloqueada',
      body: 'Ninguém pode usar os seus consentimentos enquanto você não a desbloquear. Se quiser, confira-os antes.',
      yes: 'Desbloquear',
      sending: 'Desbloqueando',
      unlocked: 'Sua identidade está desbloqueada.',
    },
  },
  consents: {
    title: 'Quem tem o seu consentimento',
    loading: 'Procurando seus consentimentos',
    failed: 'Não foi possível ver seus consentimentos',
    retry: 'Tentar de novo',
    none: 'Ninguém tem o seu consentimento no momento. Não há nada a fazer.',
    lead: 'Retire o que você não reconhece. Você pode dar um consentimento de novo quando quiser.',
    standing:
      '{count, plural, =0 {Não resta nenhum consentimento.} one {# consentimento em vigor.} other {# consentimentos em vigor.}}',
    unnamed: 'Uma instituição sem domínio',
    own: 'É você: permite que a sua própria chave leia e exporte.',
    may: 'Pode',
    about: 'Sobre',
    since: 'Desde',
    sinceUntil: '{from}, até {to}',
    withdraw: 'Retirar',
    withdrawing: 'Retirando',
    withdrawn: 'Retirado',
    back: 'Pronto',
    all: {
      ask: '{count, plural, one {Retirar} other {Retirar todos os #}}',
      title: '{count, plural, one {Retirar este consentimento?} other {Retirar todos os # consentimentos?}}',
      body: 'Eles terminam na hora, para todos desta lista. O que já foi lido não pode ser desfeito.',
      yes: '{count, plural, one {Sim, retirar} other {Sim, retirar todos os #}}',
      sending: 'Retirando',
      no: 'Não, manter',
    },
  },
  errors: {
    title: 'Não deu certo',
    UNREACHABLE: 'Não foi possível falar com o servidor. Confira sua conexão e tente de novo. Sua chave está segura.',
    UNAVAILABLE: 'O serviço está ocupado no momento. Espere um minuto e tente de novo. Sua chave está segura.',
    RATE_LIMITED: 'Vieram pedidos demais da sua rede. Espere um minuto e tente de novo. Sua chave está segura.',
    INTERNAL: 'Algo deu errado do nosso lado. Sua chave está segura. Tente de novo em um minuto.',
    TIMESTAMP: 'O relógio deste aparelho está errado. Acerte a data e a hora e tente de novo. Sua chave está segura.',
    RECOVERY_NOT_CONFIGURED:
      'Nesse meio-tempo, menos de dois guardiões contam, e por isso ninguém poderia confirmar. Carregue a página de novo para ver o que ainda dá para fazer.',
    PUBLIC_KEY_TAKEN: 'Esta chave já é de um guardião desta identidade. Crie outra.',
    PUBLIC_KEY_INVALID: 'O servidor não aceita esta chave. Carregue a página de novo e crie outra.',
    BEO_NOT_FOUND: 'A identidade não é mais conhecida. Talvez tenha sido encerrada nesse meio-tempo.',
    BEO_DESTROYED: 'A identidade foi encerrada nesse meio-tempo. Ninguém pode trazê-la de volta.',
    BEO_LOCKED: 'A identidade está bloqueada. Desbloqueie-a primeiro.',
    INVALID_SIGNATURE: 'A identidade já tem outra chave. Carregue a página de novo para ver como está.',
    TOKEN_NOT_FOUND: 'Este consentimento não é mais conhecido. Carregue a página de novo.',
    OTHER: 'O servidor não aceitou ({code}). Sua chave está segura. Tente de novo em um minuto.',
  },
} satisfies typeof english;
