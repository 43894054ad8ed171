import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'

export type IntentRecord = VersionedRecord<contract.IssuerIntent>

export const intentType = contract.intentFamily.type
