import type english from '../en/explore.ts';

export default {
  title: 'Explorar o registro',
  lead: 'Procure qualquer coisa que tenha sido assinada aqui e confira você mesmo, no seu próprio navegador. Tudo é público; não é preciso ter conta.',
  search: {
    label: 'O que você procura?',
    hint: 'Um domínio, que termina em .{suffix}, ou o id de uma identidade, instituição, consentimento ou transação.',
    submit: 'Procurar',
    looking: 'Procurando …',
  },
  latest: { title: 'Entradas mais recentes', empty: 'O registro está vazio.' },
  history: {
    title: 'Histórico no registro',
    lead: 'Todas as operações, da mais recente à mais antiga. Abra uma para ver o que foi assinado e para conferir.',
  },
  consents: {
    title: 'Consentimentos que deu',
    lead: '{count, plural, =0 {Ainda não deu nenhum.} one {Um no total. Os consentimentos são públicos; os dados de saúde de que tratam não são.} other {# no total, em vigor e encerrados, do mais recente ao mais antigo. Os consentimentos são públicos; os dados de saúde de que tratam não são.}}',
    may: 'Pode',
    state: 'Situação',
  },
  kind: {
    identity: 'Identidade de uma pessoa',
    institution: 'Instituição',
    consent: 'Consentimento',
    proposal: 'Proposta do instituto',
    transaction: 'Transação, entrada nº {seq, number} do registro',
  },
  state: {
    ACTIVE: 'Ativa',
    IN_FORCE: 'Em vigor',
    LOCKED: 'Bloqueada',
    SUSPENDED: 'Suspensa',
    REVOKED: 'Revogada',
    DESTROYED: 'Destruída',
    EXPIRED: 'Expirado',
    WITHDRAWN: 'Retirado',
  },
  fact: {
    publicKey: 'Chave pública',
    keyVersion: 'Versão da chave',
    guardians: 'Guardiões',
    created: 'Criação',
    status: 'Última entrada',
    createdBy: 'Criada pela transação',
    transaction: 'id da transação',
    id: 'Id',
  },
  raw: 'Tudo, como as máquinas leem (JSON)',
  identity: {
    keyVersion: '{version, plural, one {1, nunca trocada} other {#, já trocada}}',
    guardians:
      '{count, plural, =0 {Nenhum: uma chave perdida não pode ser recuperada} one {1 ativo, dos dois que uma recuperação exige} other {# ativos}}{count, plural, =0 {} other {; {confirmed, number} confirmados pelo titular}}',
    confirmedOnly: 'Só contam guardiões cuja chave o titular assinou. O titular decidiu isso para sempre.',
    asserted:
      'Podem contar guardiões que o titular não confirmou. Uma recuperação com eles seria afirmada pelo serviço.',
    recovering: 'Está sendo recuperada com outra chave: {given, number} de {needed, number} guardiões já confirmaram.',
  },
  institution: {
    calls: 'Apresenta-se como',
    unchecked: 'Nas palavras da própria instituição. O que o instituto verificou, a certificação diz.',
    type: 'Tipo',
    says: 'Diz de si mesma',
    certification: 'Certificação',
    because: {
      CERTIFIED: 'Dada pelo instituto e válida no momento.',
      UNCERTIFIED: 'O instituto não a certificou.',
      IEO_NOT_ACTIVE: 'Ela não está ativa, e por enquanto nenhuma certificação vale.',
      CERTIFICATION_EXPIRED: 'A certificação venceu.',
    },
    sentence: {
      ACTIVE: 'Pode receber consentimentos e usá-los.',
      LOCKED: 'Ela mesma se bloqueou: até se desbloquear, não pode usar nenhum consentimento.',
      SUSPENDED: 'O instituto a suspendeu: por enquanto não pode usar nenhum consentimento.',
      REVOKED: 'O instituto a revogou em definitivo. Todos os seus consentimentos terminaram.',
      DESTROYED: 'Ela se encerrou em definitivo. Todos os seus consentimentos terminaram.',
    },
  },
  consent: {
    to: 'Consentimento para',
    by: 'Dado por',
    for: 'Dado a',
    self: 'É a chave do próprio titular: assim ele lê e exporta os seus dados.',
    given: 'Dado',
    holds: 'Está valendo: o que ele permite pode ser feito agora.',
    holdsNot:
      '{reason, select, TOKEN_REVOKED {Foi retirado, ou terminou junto com quem o deu ou recebeu. Nada mais pode ser feito com ele.} TOKEN_EXPIRED {O prazo acabou. Nada mais pode ser feito com ele.} BEO_NOT_ACTIVE {Está parado: quem o deu bloqueou a identidade.} IEO_NOT_ACTIVE {Está parado: a instituição não está ativa no momento.} other {Não vale no momento.}}',
  },
  proposal: {
    action: {
      suspendIEO: 'Suspender uma instituição',
      reinstateIEO: 'Reativar uma instituição',
      revokeIEO: 'Revogar uma instituição',
      changeCertLevel: 'Mudar uma certificação',
    },
    status: {
      PENDING: 'Espera por uma segunda das três chaves do instituto.',
      EXECUTED: 'Duas das três chaves do instituto a aprovaram, e ela passou a valer.',
      EXPIRED: 'Nenhuma segunda chave a aprovou em sete dias, e ela caiu.',
    },
    about: 'Instituição',
    why: 'Motivo apresentado',
    approvals: 'Aprovações',
    given: '{count, number} de {needed, number}',
    opened: 'Aberta',
    executed: 'Passou a valer',
  },
  transaction: {
    status:
      '{status, select, ACCEPTED {Aceita: já vale, e espera ser enviada à rede.} POSTED {Enviada à rede, à espera de um bloco.} CONFIRMED {Está em um bloco. Será definitiva quando blocos suficientes vierem depois.} FINAL {Definitiva: blocos suficientes vieram depois, e ela foi lida de volta da rede.} other {}}',
    about:
      '{kind, select, identity {Identidade} institution {Instituição} consent {Consentimento} proposal {Proposta do instituto} other {Sobre}}',
    accepted: 'Aceita',
    network: 'Na rede',
    notYet: 'Ainda não foi enviada.',
    gateway: 'A transação da rede que a contém',
    kept: {
      arweave: 'A Arweave a guarda para sempre.',
      devnet: 'Esta é uma rede de teste dentro deste servidor: nada nela é permanente.',
    },
    prev: 'Entrada anterior',
    entry: 'A própria entrada (JSON)',
  },
  nothing: {
    nobody: {
      title: 'Não há nada com este nome',
      body: 'Ninguém o usa, ou o titular destruiu a identidade: uma identidade destruída só é encontrada pelo id. Veja se está escrito certo; no id de uma transação, maiúsculas e minúsculas contam.',
    },
    malformed: {
      title: 'Isto não pode ser um nome do registro',
      body: 'Um domínio é feito das letras de a a z, algarismos, hifens e pontos, tem no máximo 64 caracteres e termina em .{suffix}. Um id se copia inteiro de onde está.',
    },
    back: 'Ver as entradas mais recentes',
  },
  terms: {
    title: 'As palavras usadas aqui',
    ledger: {
      name: 'Registro',
      what: 'Uma lista de tudo o que foi assinado aqui. Cada entrada nomeia a anterior, de modo que nenhuma pode ser mudada, inserida no meio ou tirada sem que se perceba.',
    },
    entry: {
      name: 'Entrada, ou transação',
      what: 'Uma operação no registro, como um consentimento que foi dado. O id é a impressão digital de uma assinatura e nunca muda.',
    },
    identity: {
      name: 'Identidade',
      what: 'Um domínio e uma chave pública. Quem está por trás dela não está escrito aqui.',
    },
    institution: {
      name: 'Instituição',
      what: 'Um laboratório, uma clínica, uma seguradora ou algo assim, com domínio e chave próprios. Só pode ler ou acrescentar aquilo que alguém consentiu.',
    },
    consent: {
      name: 'Consentimento',
      what: 'O que alguém permite que uma instituição faça, com quais tipos de dados e por quanto tempo. Pode ser retirado a qualquer momento.',
    },
    key: {
      name: 'Chave e assinatura',
      what: 'Quem tem a chave secreta pode assinar; quem tem a chave pública pode conferir. A partir da chave pública ninguém descobre a secreta.',
    },
    relayer: {
      name: 'Retransmissor',
      what: 'Este serviço. Ele põe em ordem o que as pessoas assinam, assina essa ordem com a própria chave e paga a rede. Não pode assinar por mais ninguém.',
    },
    final: {
      name: 'Definitiva',
      what: 'A rede construiu blocos suficientes em cima dela, e ela foi lida de volta. Na Arweave, depois disso ninguém a remove.',
    },
  },
  check: {
    title: 'Confira você mesmo',
    lead: 'Você não precisa acreditar nesta página que a entrada é autêntica. O seu navegador pode comprovar: ele busca a entrada assinada e as vizinhas e confere passo a passo.',
    start: 'Conferir agora',
    fetching: 'Buscando a entrada e as vizinhas …',
    checking: 'Conferindo …',
    going: 'Conferindo as entradas seguintes: {checked, number} de {of, number} …',
    numbered: '{number, number}. {title}',
    verdict: { good: 'confere', told: 'nada a conferir', bad: 'não confere' },
    compared: 'O que foi comparado',
    outcome: {
      good: { title: 'É autêntica', body: 'Todos os {count, number} passos conferem.' },
      told: {
        title: 'O retransmissor a assinou; não há assinatura pública de uma pessoa',
        body: 'Nada de errado foi encontrado. O passo “Quem decidiu” diz por que não há assinatura a conferir.',
      },
      bad: {
        title: 'Há algo errado aqui',
        body: 'Pelo menos um passo não confere. Baixe a prova abaixo e guarde-a: ela mostra isso a qualquer pessoa.',
      },
    },
    step: {
      item: {
        title: 'O id é dela mesma',
        said: '{case, select, good {É um item de dados inteiro, na forma da rede (ANS-104), e o SHA-256 da assinatura é o id que você procurou.} malformed {Estes bytes não são um item de dados.} other {O SHA-256 da assinatura não é o id que você procurou.}}',
      },
      relayer: {
        title: 'O retransmissor a assinou',
        said: '{case, select, good {A assinatura cobre tudo o que há nela, por meio do deep hash (SHA-384), e é da chave do retransmissor.} other {A assinatura não é da chave do retransmissor sobre o que há nela.}}',
      },
      ledger: {
        title: 'Pertence a este registro',
        said: '{case, select, good {O nome de um registro é o SHA-256 da primeira chave do retransmissor, e é esta a chave.} other {O nome do registro não é o SHA-256 desta chave.}}',
      },
      place: {
        title: 'Tem um só lugar',
        said: '{case, select, good {A âncora é o SHA-256 do id da entrada anterior e do próprio número: não cabe em nenhum outro lugar.} other {A âncora não é a deste número depois daquela entrada.}}',
      },
      entry: {
        title: 'Diz uma só coisa',
        said: '{case, select, good {O conteúdo está escrito da única maneira possível (JSON canônico), e as etiquetas dizem o mesmo que ele.} malformed {O conteúdo não é uma entrada de registro.} other {O conteúdo não está escrito da única maneira possível, ou as etiquetas dizem outra coisa.}}',
      },
      person: {
        title: 'Quem decidiu',
        said: '{case, select, good {A chave de quem assina assinou exatamente esta mensagem. Sem essa chave ninguém pode, nem o retransmissor.} sealed {Ela traz algo privado, como dados de saúde ou o nome de um guardião. Por isso a rede só tem um resumo: o SHA-256 de um sal, da assinatura e da mensagem. Quem assinou recebeu o sal e pode abri-lo para você; mais ninguém pode.} institute {O instituto decidiu, com uma das suas três chaves. Essas decisões não têm assinatura: que foi o instituto, é a palavra do retransmissor.} relayer {Só o retransmissor escreve este tipo de entrada, quando o registro continua depois de uma restauração.} unsigned {Deveria ter a assinatura de uma pessoa, e não tem.} foreign {Foi assinado para outro registro, cujo id está na mensagem. O retransmissor não podia aceitá-lo.} other {A assinatura não é da chave indicada sobre esta mensagem.}}',
      },
      before: {
        title: 'Segue a entrada anterior',
        said: '{case, select, good {O retransmissor assinou a entrada anterior, e o id dela é o que está indicado aqui.} first {É a primeira entrada do registro.} other {A entrada apresentada como anterior não é a que ela indica.}}',
      },
      after: {
        title: 'Entradas seguintes se apoiam nela',
        said: '{case, select, good {{checked, plural, one {Uma entrada vem depois, até a mais nova, e a nomeia.} other {# entradas vêm depois, até a mais nova, cada uma assinada pelo retransmissor e nomeando a anterior.}}} newest {É a entrada mais nova: ainda não há nenhuma depois.} part {As próximas {checked, number} entradas, tantas quantas uma conferência alcança, nomeiam cada uma a anterior.} short {A cadeia acaba antes da hora.} other {A cadeia se rompe depois de {checked, number} entradas.}}',
      },
      head: {
        title: 'O retransmissor responde pelo todo',
        said: '{case, select, good {O retransmissor assinou, no momento indicado, que o registro termina onde esta cadeia termina. Se um dia mostrar a alguém outra entrada neste lugar, as duas juntas o provam.} apart {O retransmissor assinou onde o registro termina. É mais adiante do que esta conferência foi.} other {O que o retransmissor assinou como fim do registro não combina com esta cadeia.}}',
      },
    },
    fact: {
      bytes: 'Tamanho em bytes',
      statedId: 'O id que você procurou',
      computedId: 'SHA-256 da assinatura',
      relayerKey: 'Chave do retransmissor deste registro',
      owner: 'Chave indicada no item',
      digest: 'Deep hash que foi assinado',
      signature: 'Assinatura',
      ledgerId: 'Nome do registro',
      keyDigest: 'SHA-256 da chave do retransmissor',
      anchor: 'Âncora no item',
      computedAnchor: 'SHA-256 de “entrada anterior:número”',
      function: 'Operação',
      entity: 'Sobre',
      acceptedAt: 'Aceita em',
      seq: 'Número',
      tags: 'Etiquetas do item',
      signer: 'Chave de quem assina',
      message: 'Mensagem que foi assinada',
      sealed: 'Resumo na rede',
      prev: 'Entrada anterior',
      lastId: 'Última entrada da cadeia conferida',
      headId: 'Última entrada do registro, conforme assinado',
      headSeq: 'O número dela',
      at: 'Assinado em',
    },
    network: {
      title: 'O último passo é seu: compare com a rede',
      notYet: 'Ainda não foi enviada. Quando for, aqui haverá um link para a cópia da rede.',
      how: 'Para que nada sobre você saia deste site, esta página não pode consultar outros servidores. Abra a cópia que a própria rede tem do pacote; a entrada está nele como texto legível. Procure por',
      bundle: 'Abrir o pacote no gateway',
      devnet:
        'Esta é uma rede de teste dentro deste servidor, e por isso prova pouco. Na Arweave seria a cópia de outra pessoa.',
      arweave: 'Qualquer outro gateway da Arweave tem de dar a você os mesmos bytes.',
    },
    file: {
      title: 'Leve a prova com você',
      what: 'O arquivo tem tudo o que foi conferido aqui: a entrada, a cadeia e o fim assinado do registro. Pode ser conferido daqui a anos, sem este site e sem rede.',
      download: 'Baixar a prova',
      script: 'Baixar o script que a confere',
      run: 'O script precisa do Node.js e é curto o bastante para ser lido antes. Na pasta com os dois arquivos:',
      command: 'comando',
      key: 'O número comprido é a chave do retransmissor. Compare-a com uma que você tenha de outro lugar.',
    },
    limits:
      'O que uma entrada sozinha não mostra: se a chave era a certa naquele momento, e se as regras permitiam. Para isso é preciso o registro inteiro, desde o começo; o comando “npm run verify” faz isso para qualquer pessoa.',
  },
} satisfies typeof english;
