import type { contract } from '@liquidity-os/contract'
import type { SafeAccount } from '../../../integrations/chain/safe-account.ts'

type ControlSafe = NonNullable<contract.ControlAuthority['safe']>

/** Owners, threshold and modules of a Safe. Modules act without the owners. */
export function safeOf(safe: SafeAccount): ControlSafe {
  const { version, singletonName, owners, threshold, modules } = safe
  // The contract chooses the text; its length is unlimited.
  return {
    version: version.slice(0, 40),
    singletonName,
    threshold,
    owners: [...owners],
    modules: [...modules],
  }
}
