import type english from '../en/keys.ts';

export default {
  anotherWay: 'Escolher outra forma',
  next: 'Continuar',
  brokenTitle: 'Esta parte da página não carregou',
  broken: 'Confira sua conexão e carregue a página de novo. Se este navegador guarda sua chave, ela continuará aqui.',
  progress: 'Andamento',

  choose: {
    title: 'Guarde uma cópia da sua chave',
    made: 'Sua chave foi criada aqui, no seu aparelho, agora há pouco. Ninguém mais a tem, nem nós.',
    forgets:
      'Navegadores esquecem o que guardam, alguns em uma semana. Por isso, antes de continuar, faça uma cópia que fique com você.',
    why: '{purpose, select, guardian {Sem ela, você não conseguiria ajudar {domain} no dia em que for preciso.} other {Sem ela, você não conseguiria mais agir por {domain}.}}',
    how: 'Uma destas formas já basta:',
    file: 'Salvar um arquivo',
    fileWhat: 'Protegido por uma senha que você escolhe. Para quem tem um bom lugar para arquivos.',
    words: 'Anotar 24 palavras',
    wordsWhat: 'No papel, à mão ou na impressora. Para quem tem um bom lugar para papéis.',
  },

  passphrase: {
    title: 'Escolha uma senha para o arquivo',
    lead: 'Quem encontrar o arquivo não consegue fazer nada com ele sem a senha. Nós não a conhecemos, e ninguém pode redefini-la.',
    label: 'Senha',
    hint: 'Pelo menos {count, number} caracteres. Quatro ou cinco palavras que não têm nada a ver umas com as outras são fáceis de lembrar e difíceis de adivinhar.',
    show: 'Mostrar',
    hide: 'Ocultar',
    showLong: 'Mostrar a senha',
    hideLong: 'Ocultar a senha',
    short:
      '{count, plural, =0 {Falta a senha.} one {Essa senha tem só # caractere.} other {Essa senha tem só # caracteres.}} Use pelo menos {minimum, number}: quem tem o arquivo pode testar milhões de senhas curtas sem que ninguém perceba.',
    simple: 'Essa senha repete sempre os mesmos caracteres e seria adivinhada. Misture um pouco mais.',
    make: 'Criar o arquivo',
    making:
      'Criando o arquivo. Leva alguns segundos: o que é demorado para você também é demorado para quem tenta adivinhar.',
    failedTitle: 'Este aparelho não conseguiu criar o arquivo',
    failed: 'Talvez falte memória. Feche outras páginas e tente de novo, ou volte e anote as 24 palavras.',
  },

  save: {
    title: 'Salve o arquivo',
    ready: 'O arquivo está pronto. Ele se chama {name}.',
    where:
      'Deixe-o onde você ainda vá encontrá-lo daqui a alguns anos: um gerenciador de senhas, uma pasta na nuvem, um pendrive junto dos seus documentos. Guarde a senha em outro lugar.',
    download: 'Salvar o arquivo',
    saved: 'Já salvei',
    trouble:
      'Não aconteceu nada? Alguns aplicativos não conseguem salvar arquivos. Abra esta página no navegador que você costuma usar, ou volte e anote as 24 palavras.',
  },

  check: {
    title: 'Confira se ele abre',
    lead: 'Escolha o arquivo no lugar onde acabou de salvá-lo e digite a senha mais uma vez. Assim você sabe que os dois vão funcionar no dia em que precisar.',
    open: 'Abrir o arquivo',
    different: 'Este arquivo é de outra chave. Escolha o que você acabou de salvar, {name}.',
    again: 'Salvar o arquivo de novo',
  },

  write: {
    title: 'Anote estas 24 palavras',
    lead: 'Nesta ordem e com os números. Elas são a sua chave: quem tem as palavras tem a chave. Elas são em inglês em todos os idiomas, para funcionarem em qualquer lugar.',
    list: 'As 24 palavras da sua chave',
    print: 'Imprimir um cartão',
    printHint: 'O cartão também diz o que fazer no dia. Imprima só em uma impressora de confiança.',
    private: 'Não tire foto e não as envie a ninguém. Nós nunca as pedimos, nem por e-mail nem por telefone.',
    written: 'Já estão no papel',
  },

  ask: {
    title: 'Duas das palavras, para ter certeza',
    lead: 'Olhe o seu papel e digite estas duas palavras.',
    hint: 'Bastam as primeiras letras: escolha a palavra na lista.',
    check: 'Conferir',
    wrong:
      '{count, plural, one {A palavra {positions} não é essa.} other {As palavras {positions} não são essas.}} Olhe o papel mais uma vez. Se o erro está no papel, veja as palavras de novo e corrija.',
    empty: '{count, plural, one {Falta digitar a palavra {positions}.} other {Falta digitar as palavras {positions}.}}',
    again: 'Ver as palavras de novo',
  },

  kept: {
    title: 'Você tem a sua cópia',
    file: 'O arquivo abre com a sua senha. Guarde os dois, um longe do outro.',
    words: 'As duas palavras estão certas. Guarde o papel onde você guarda o que é importante.',
    card: 'Você também pode imprimir um cartão que diz para que serve o arquivo e o que fazer no dia.',
    print: 'Imprimir um cartão',
  },

  card: {
    title: '{purpose, select, guardian {Guardião de {domain}} other {Chave de {domain}}}',
    made: 'Feito em {date}, em {site}',
    about:
      '{purpose, select, guardian {Este cartão é de um guardião de {domain}. Com ele, e junto com um segundo guardião, é possível ajudar a pessoa de {domain} que perdeu a chave. Sozinho, ele não faz nada.} other {Este cartão é a chave de {domain}. Quem tem o cartão pode agir por {domain}.}}',
    dayTitle: '{purpose, select, guardian {No dia em que você for chamado} other {Quando você precisar}}',
    guardianDay: {
      call: 'Ligue você para a pessoa, para um número que já conhece, ou encontre-se com ela. Nunca use um número que esteja na mensagem.',
      words: 'Peça a ela seis palavras e anote.',
      link: 'Abra o link que você recebeu. Ele começa com {site}',
      key: '{kept, select, file {Digite as seis palavras, depois escolha o arquivo da chave e digite a senha dele.} other {Digite as seis palavras e depois as 24 palavras deste cartão.}}',
      doubt: 'Se algo parecer estranho, não faça nada. Sem você, nada acontece.',
    },
    holderDay: {
      open: '{kept, select, file {Em um aparelho novo, abra {site}/sign-in e escolha o arquivo da chave.} other {Em um aparelho novo, abra {site}/sign-in e digite as 24 palavras deste cartão.}}',
      lost: 'Se perder a chave, abra {site}/recover. Dois dos seus guardiões podem ajudar você.',
    },
    never: 'Ninguém do Perpetua vai pedir a você estas palavras, o arquivo ou a senha dele. Nunca.',
    words: 'As 24 palavras',
    file: 'A chave é um arquivo chamado {name}',
    place: 'Onde ele está guardado:',
  },

  word: 'Palavra {number, number}',

  open: {
    looking: 'Procurando sua chave neste navegador…',
    foundTitle: 'Sua chave está neste navegador',
    found:
      '{purpose, select, guardian {Este navegador guardou a chave que você criou como guardião de {domain}.} other {Este navegador guardou a chave de {domain}.}}',
    use: 'Usar esta chave',
    fromBrowser: 'A chave deste navegador',
    useAnother: 'Usar a minha própria cópia',
    chooseTitle: 'Abra a sua chave',
    chooseLead:
      '{purpose, select, guardian {Quando se tornou guardião de {domain}, você guardou uma cópia da sua chave. Qual delas?} other {Você guardou uma cópia da chave de {domain}. Qual delas?}}',
    notHere:
      'Ela não está neste navegador. Não se preocupe: navegadores esquecem, e talvez você esteja em outro aparelho.',
    file: 'O arquivo',
    fileWhat: 'O nome dele começa com perpetua e termina em .json. Você também vai precisar da senha.',
    words: 'As 24 palavras',
    wordsWhat: 'No papel, ou no cartão que você imprimiu.',
    foundSame: 'Este navegador guarda a chave com que convidaram você.',
    chooseAny:
      'Qual chave você quer usar? Não pode ser a chave da própria {domain}, nem a de outro dos seus guardiões.',
    hereIdentity: 'A chave de {domain}',
    hereGuardian: 'Sua chave como guardião de {domain}',
    hereUnnamed: 'Uma chave de guardião cuja parte pública termina em {end}',
    herePassphrase: 'Guardada neste navegador. Você precisa da senha dela.',
    hereCopy: 'Guardada neste navegador.',
    hereTitle: 'Desbloqueie a chave de {domain}',
    hereLead: 'Digite a senha que você escolheu ao trazer esta chave para o navegador. A chave fica no seu aparelho.',
    hereLost: 'Este navegador perdeu essa chave. Escolha outro caminho.',
    code: 'Uma chave secreta em hexadecimal',
    codeWhat: '64 ou 128 caracteres, de uma chave criada com outro programa.',
    codeTitle: 'Cole sua chave secreta',
    codeLead:
      '{purpose, select, guardian {Ela fica no seu aparelho. Esta página assina com ela, envia só a assinatura e não guarda a chave.} other {Ela fica no seu aparelho. Só assinaturas saem dele. Uma chave assim não tem 24 palavras; depois, guarde-a como arquivo.}}',
    neither: 'Não tenho nenhum dos dois',
    fileTitle: 'Abra o arquivo',
    fileLead: 'Ele fica no seu aparelho. Só a sua assinatura sai daqui.',
    filePick: 'O arquivo da sua chave',
    opening: 'Abrindo o arquivo. Leva alguns segundos.',
    open: 'Abrir',
    wordsTitle: 'Digite as suas 24 palavras',
    wordsLead:
      'Bastam as primeiras letras: escolha a palavra na lista. Se você tem todas em um texto, cole no primeiro campo.',
    wordsOpen: 'Abrir',
    wordsList: 'Suas 24 palavras',
    neitherTitle: 'Se você não tem nenhum dos dois',
    neither1:
      '{purpose, select, guardian {Sem a sua chave você não pode confirmar, e nós não podemos criar outra para você. Conte isso por telefone à pessoa. Dois outros guardiões já bastam.} institution {Então ninguém pode criar outra chave para {domain}, nem nós. Pergunte quem mais na instituição pode ter uma cópia.} other {Então os seus guardiões podem ajudar: dois deles, juntos, podem dar uma chave nova a {domain}.}}',
    neither2:
      'Antes de desistir, procure onde você guarda senhas e papéis, e tente no navegador e no aparelho que usou daquela vez.',
    recover: 'Recuperar com os seus guardiões',
  },

  code: {
    label: 'Sua chave secreta',
    hint: '64 ou 128 caracteres, algarismos e as letras de a até f.',
    showLong: 'Mostrar a chave secreta',
    hideLong: 'Ocultar a chave secreta',
    empty: 'Primeiro cole a chave.',
    foreign: 'Isto não é uma chave secreta: há nela outros caracteres além de algarismos e das letras de a até f.',
    length:
      '{count, plural, one {Aqui há só # caractere.} other {Aqui há # caracteres.}} Uma chave secreta tem 128, uma semente tem 64. Talvez uma parte não tenha sido copiada.',
    halves:
      'As duas metades desta chave não combinam: a segunda não é a chave pública da primeira. Falta uma parte, ou ela foi alterada.',
    publicKey:
      '{purpose, select, guardian {Esta é a sua chave pública, que todos podem ver. Cole a secreta que faz par com ela.} other {Esta é a chave pública de {domain}, que todos podem ver. Aqui é preciso a secreta.}}',
    file: 'Este é o texto de um arquivo. Volte e escolha o arquivo.',
    other:
      '{purpose, select, guardian {Esta chave está completa, mas não é aquela com que convidaram você como guardião de {domain}. Se você tem várias, tente outra.} other {Isto é uma chave, e está completa. Mas não é a chave atual de {domain}. Talvez ela tenha sido trocada.}}',
  },

  problem: {
    noFile: 'Escolha primeiro um arquivo.',
    noPassphrase: 'Digite a senha.',
    foreign: 'Este não é um arquivo de chave do Perpetua. O nome dele começa com perpetua e termina em .json.',
    damaged:
      'Este é um arquivo de chave, mas falta uma parte dele ou ele foi alterado. Use outra cópia, ou as 24 palavras, se você as tem.',
    newer:
      'Este arquivo foi criado por uma versão mais nova do Perpetua. Carregue a página de novo; se não adiantar, abra-o onde ele foi criado.',
    excessive:
      'Este arquivo pede mais memória do que um arquivo de chave jamais precisa, por isso não vamos abri-lo. Ele não foi criado aqui.',
    passphrase:
      'Esta senha não abre o arquivo. Confira as maiúsculas, os espaços e o idioma do teclado. Nada se perde: tente quantas vezes quiser.',
    device:
      'Este aparelho não conseguiu abrir o arquivo. Talvez falte memória: feche outras páginas e tente de novo, ou use outro aparelho.',
    otherKeyTitle: 'Esta é outra chave',
    otherFile:
      '{purpose, select, guardian {Este arquivo guarda uma chave de guardião de {fileDomain}} other {Este arquivo guarda uma chave de {fileDomain}}}, criada em {date}. Não é a chave de que precisamos aqui, para {domain}.',
    olderFile:
      'Este arquivo guarda outra chave de {domain}, criada em {date}. Talvez você tenha mais de um: procure um arquivo de outro dia.',
    otherWords:
      '{purpose, select, guardian {Estas palavras são uma chave, e está completa. Mas não é a chave com que você se tornou guardião de {domain}.} other {Estas palavras são uma chave, e está completa. Mas não é a chave de {domain}.}} Talvez você tenha mais de um papel.',
    unknownWords:
      '{count, plural, one {Não está na lista de palavras: {words}. Confira como se escreve.} other {Não estão na lista de palavras: {words}. Confira como se escrevem.}}',
    unknownWord: 'palavra {position, number} (“{typed}”)',
    missingWords:
      '{count, plural, one {Ainda falta a palavra {positions}.} other {Ainda faltam as palavras {positions}.}}',
    checksum:
      'Todas as palavras estão na lista, mas juntas não são uma chave. Uma delas é outra, ou duas trocaram de lugar. Compare com o seu papel, uma por uma.',
  },
} satisfies typeof english;
