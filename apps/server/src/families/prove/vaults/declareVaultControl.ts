import { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { evaluateControl, qualificationOf, statusOf } from './evaluate-control.ts'
import { vaults } from './records.ts'
import { relatedTo } from './related.ts'

type Declared = contract.DeclaredControl

/**
 * Stores the contracts that the organization recognizes, and re-evaluates the vault's last reading
 * with them.
 */
export default vaults.supersede(contract.declareVaultControl, {
  isRecent: true,
  requires: ({ body }) => requireDistinct(body.payload.declared),
  admit: (_, { id, status }) => {
    if (status !== 'RETIRED') return
    throw new Failure('LIQUIDITY_VAULT_RETIRED', {
      fieldErrors: { id: [`must not be RETIRED: ${id} is RETIRED`] },
    })
  },
  to: (_, { status }) => status,
  decide: async ({ body, records, now }, { id, payload }) => {
    const { declared } = body.payload
    const { chainId, safeAddress, pair, control, attached, snapshot } = payload
    const safe = safeAddress as `0x${string}`
    const { proof } = await relatedTo(records, { chainId, safe, pair, entries: [], venues: [] }, id)
    const answered = payload.checks.find(({ code }) => code === 'SINGLETON')
    const checks = evaluateControl({
      control,
      attached,
      declared,
      proof,
      // Result of the last reading. A check that failed because of the code still fails.
      isAnswering: answered?.observed.includes('answers not like a Safe') !== true,
      ageSeconds: Math.floor((now - Date.parse(snapshot.timestamp)) / 1000),
    })
    const qualification = qualificationOf(checks)
    return {
      payload: { ...payload, declared: [...declared], checks, qualification },
      status: statusOf(qualification),
      event: 'vault.control_declared',
      eventPayload: {
        declared: declared.map(({ role, address }) => ({ role, address })),
        qualification,
      },
    }
  },
})

/** @throws Failure 422 if one contract is declared twice in one role */
function requireDistinct(declared: readonly Declared[]): void {
  const seen = new Set<string>()
  for (const [index, { role, address }] of declared.entries()) {
    const key = `${role} ${address}`.toLowerCase()
    if (seen.has(key)) {
      throw new Failure('LIQUIDITY_VAULT_DECLARATION_DUPLICATE', {
        fieldErrors: {
          [`payload.declared.${index}`]: [`must be declared once, got ${role} ${address} again`],
        },
      })
    }
    seen.add(key)
  }
}
