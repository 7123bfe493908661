/**
 * What most passwords of twelve and more characters in public breach lists are put together from, in lower
 * case, letters for digits (`passw0rd` is found as `password`). Runs on the keyboard, of the alphabet and of
 * digits are found by rule.
 */
export const commonWords: readonly string[] = `
  password passwort passwd motdepasse contrasena parola haslo secret geheim mypass passphrase
  admin administrator root user guest test default login logon signin operator support service master server system
  welcome willkommen bienvenue hello hallo bonjour letmein changeme change please access open sesame enter
  iloveyou loveyou love lover forever always baby babygirl angel princess prince sunshine moonlight sweetheart honey darling
  monkey dragon tiger eagle lion wolf horse shadow ghost phoenix unicorn butterfly dolphin kitty kitten puppy doggy
  football fussball baseball basketball hockey soccer tennis golf liverpool chelsea arsenal manchester united barcelona
  realmadrid juventus bayern borussia yankees cowboys lakers steelers packers
  superman batman spiderman ironman starwars skywalker pokemon pikachu naruto mario zelda minecraft fortnite matrix
  michael michelle jennifer jessica ashley daniel andrew joshua matthew charlie thomas robert william alexander nicole
  anthony christopher elizabeth samantha victoria jordan hunter ranger george martin
  computer internet windows microsoft google facebook samsung iphone android linux apple laptop network website online
  company office business money dollar freedom success winner champion lucky happy summer winter spring autumn sommer
  fruehling fruhling herbst monday tuesday wednesday thursday friday saturday sunday montag freitag january february march april
  june july august september october november december januar februar maerz marz juni juli oktober dezember
  london paris berlin newyork california texas america deutschland germany france england europe
  jesus christ jesuschrist god blessed heaven faith trustno trust nobody whatever unbelievable remember together
  chocolate cookie cheese banana orange pepper coffee pizza purple yellow silver golden diamond flower rainbow
  mustang ferrari porsche mercedes harley corvette motorcycle bigdog fuckyou fuckoff asshole pussy sexy
  metallica nirvana beatles eminem rockstar guitar music dance party
  qwerty qwertz azerty asdf zxcv yxcv qazwsx wsxedc edcrfv zaqxsw qweasd asdzxc poiuy mnbvc qweqwe asdasd
  correcthorsebatterystaple masterofpuppets
  portico
`
  .trim()
  .split(/\s+/)
  .toSorted((a, b) => b.length - a.length);
