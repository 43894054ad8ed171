import { contract } from '@liquidity-os/contract'

type Strength = contract.ControlStrength

/** From the strongest to the weakest. */
const order: readonly Strength[] = contract.controlStrengths

const strengthOfHop = ({ relation, evidence }: contract.ControlHop): Strength => {
  if (relation === 'deployer') return 'HISTORICAL_ORIGIN'
  if (relation === 'timelockRole') return 'DELAYED'
  // Whoever is one of several owners decides nothing alone.
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
