import { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { handle, type Outcome } from '../../../http/handler.ts'
import { validateSignedScalar } from '../../../http/signed-scalars.ts'
import { draftOf, limitsFromInput } from './draft-payload.ts'
import { requireVault } from './vault-of.ts'
import { findActivePolicy, written } from './write-draft.ts'

/** Stores limits as a draft, unchanged. */
export default handle(
  contract.createStructuredPolicyIntentDraft,
  async (request): Promise<Outcome> => {
    const { body, records, now } = request
    const { vaultId, policy, baseline } = body.payload
    const faults = validateSignedScalar(contract.AutonomyPolicyInput, policy, 'payload.policy')
    if (Object.keys(faults).length > 0) {
      throw new Failure('LIQUIDITY_POLICY_NOT_CANONICAL', { fieldErrors: faults })
    }
    const vault = await requireVault(records, vaultId)
    const { pair } = vault.payload
    const stated = limitsFromInput(
      policy as Partial<contract.AutonomyPolicyInput>,
      baseline === 'NONE',
    )
    const current = await findActivePolicy(records, vaultId)
    // Token symbols are not looked up here, so the generated text names the quote by address.
    const context = {
      base: { address: pair.base, decimals: pair.baseDecimals },
      quote: { address: pair.quote, decimals: pair.quoteDecimals },
      symbols: new Map(),
    }
    return written(
      records,
      draftOf({ stated, baseline, vault, current, context, now }),
      body.reason,
    )
  },
)
