export {
  type Admission,
  type AdmissionDecision,
  decideAdmission,
  executableAuthority,
  mayResume,
  type StandingPolicy,
} from '../src/policy/admission.ts'
export {
  compareTerms,
  type FieldComparison,
  grantsNoMore,
  meetTerms,
  type Relation,
  type TermsComparison,
} from '../src/policy/order.ts'
export {
  bottomTerms,
  greatestPriceX18,
  isExecutable,
  normalTerms,
  type PolicyField,
  type PolicyTerms,
} from '../src/policy/terms.ts'
