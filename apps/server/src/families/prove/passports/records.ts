import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { dueName } from '../../../jobs/overdue.ts'
import { recordFamily } from '../../record-family.ts'

export type Passport = VersionedRecord<contract.LiquidityPassport>

/** Name kind of a slug, which a passport holds permanently. */
export const slugName = 'passport-slug'
/** Kind of the unique name of a vault, held by its active passport. */
export const liveName = 'passport-vault'
/** Kind of the names of active passports, ordered by expiry. */
export const dueKind = 'passport-due'

export const passports = recordFamily(contract.passportFamily, {
  names: ({ id, status, payload: { slug, vaultId, validUntil } }) => [
    { kind: slugName, name: slug },
    ...(status === 'ACTIVE'
      ? [
          { kind: liveName, name: vaultId },
          { kind: dueKind, name: dueName(validUntil, id) },
        ]
      : []),
  ],
  nameKinds: [slugName, liveName, dueKind],
})

/** Renders a publication and registers the renderings. */
export const artifactsJob = 'PASSPORT_ARTIFACTS'
