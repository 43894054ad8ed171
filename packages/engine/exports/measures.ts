export type { BaseShareTarget, InventoryCourse } from '../src/measures/inventory-course.ts'
export { MARKOUT_SECONDS, type Markout } from '../src/measures/markout-ledger.ts'
export { RECOVERY_SECONDS, type ShockRecovery } from '../src/measures/shock-recovery.ts'
