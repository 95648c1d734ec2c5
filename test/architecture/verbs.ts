/** First words of the names of effects: imperative verbs, and `is`, `has`, `may` of questions. */
export const verbs: ReadonlySet<string> = new Set(
  `abort accept add address adjust admit advance allow annotate answer append apply ask assign attach attempt attribute authenticate authorize
  await begin bind block build cache call cancel change check choose clean clear close coerce collect commit compare compile compute confirm
  connect consume convert copy count create cut decide declare decode decompress delete describe detect develop dial discover dispatch
  displace divide drain drop emit enable encode end enforce ensure enter escape estimate evaluate evict examine exchange exclude execute
  expand expect explain export extend extract fail fetch fill filter finalize find finish flush follow forget format forward free fuzz gather
  generate get give grant group grow guard handle has hide hold hover identify ignore import inject insert inspect install invoke is issue join
  judge keep kill launch lay leave limit link lint list listen load lock log look main make map mark match may measure memoize merge migrate
  move mutate name narrow negotiate note notify observe offer open order pack pair parse pass patch pause peek perform pipe place plan play
  point poll post prefix prepare present preserve print probe proceed process produce protect prune publish pull push put query queue quote
  race raise read rebuild receive recognize reconcile record recover redact redirect reduce refresh refuse register rehearse reject release
  reload remember remove rename render renew repair repeat replace replay reply report request require rerun reset resolve respond restart
  restore resume retry return reuse reveal reverse review revoke rewrite rotate round run save scale scan schedule script search seek select
  send separate serve set settle shorten show shut sign simulate skip sleep sort split start stay step stop store stream strip submit
  subscribe suggest switch sync take tell test throw tidy trace track transfer transform translate transplant traverse trim trust try turn
  undo unpack unwrap update upgrade upload use validate verify visit wait warn watch work wrap write yield`.split(/\s+/),
);
