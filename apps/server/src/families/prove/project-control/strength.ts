import { contract } from '@liquidity-os/contract'

type Strength = contract.ControlStrength

/** From the strongest to the weakest. */
const order: readonly Strength[] = contract.controlStrengths

/** Code hashes of published OpenZeppelin contracts that only their owner can use. */
const knownOwned: ReadonlySet<string> = new Set([
  // @openzeppelin/contracts 4.9.6, build/contracts: ProxyAdmin, UpgradeableBeacon
  '0xb48f10b24609c5a32b45d255f6bae8e9a7a5d6514dd8c72ec6f7ef97ecc7243d',
  '0xd5712efcee4f3f46d7a41e210cebc68cb7e6059c01e29a723e09a7dba91ef27c',
  // @openzeppelin/upgrades-core 1.46.0, artifacts, which its plugins deploy: ProxyAdmin and UpgradeableBeacon of 4, then of 5
  '0x4e8a5693ecb0da4b8382ea10c4a2de307f3aefc5e894324ea538d420ee085cbc',
  '0x4e843c7e35b78e6cdb5c826b3555943b272f8b8f055fad454578261e0c183997',
  '0xef59f2d3e8dcc41ead25439da61240a782788788c5d76b5cd8093a094775af96',
  '0x1871ffa9a8671e6099a3bf81afc158f574f8e67745ef1d2747fafe4f5f490ae5',
])

/**
 * True if a step after the first one passes through a contract with unknown code. Its reported
 * owner is then unverified, and the owner's rights are unknown.
 */
export const isByUnknownRules = (
  { relation, evidence: { safe, timelock, codeHash } }: contract.ControlHop,
  index: number,
): boolean =>
  index > 0 &&
  safe === null &&
  timelock === null &&
  relation !== 'deployer' &&
  !knownOwned.has(codeHash)

const strengthOfHop = (hop: contract.ControlHop, index: number): Strength => {
  const { relation, evidence } = hop
  if (isByUnknownRules(hop, index)) return 'PARTIAL_SIGNER'
  if (relation === 'deployer') return 'HISTORICAL_ORIGIN'
  if (relation === 'timelockRole') return 'DELAYED'
  // One of several required owners cannot decide alone.
  if (relation === 'safeOwner')
    return (evidence.safe?.threshold ?? 1) > 1 ? 'PARTIAL_SIGNER' : 'FULL'
  return 'FULL'
}

/** A path is as strong as its weakest step. */
export function strengthOf(path: readonly contract.ControlHop[]): Strength {
  return path.map(strengthOfHop).reduce(weaker, 'FULL')
}

export const isWeaker = (one: Strength, other: Strength): boolean =>
  order.indexOf(one) > order.indexOf(other)

const weaker = (one: Strength, other: Strength): Strength => (isWeaker(one, other) ? one : other)
