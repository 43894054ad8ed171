import {
  type Behaviour,
  type FaultyNode,
  type HttpBehaviour,
  startFaultyNode,
} from '@liquidity-os/localchain/faulty-node'

export {
  type Behaviour,
  type Envelope,
  type HttpBehaviour,
  honest,
} from '@liquidity-os/localchain/faulty-node'

export type ProviderProxy = FaultyNode

/** A real HTTP server in front of a real node, with faults of a test's own. */
export const startProviderProxy = (
  upstream: string,
  behave: Behaviour,
  behaveHttp?: HttpBehaviour,
): Promise<ProviderProxy> =>
  startFaultyNode(upstream, { behave, ...(behaveHttp && { behaveHttp }) })
