import type { contract } from '@liquidity-os/contract'
import { isEmail } from '../../../../access/email-address.ts'
import type { Sealing } from '../../../../access/sealing.ts'
import type { Config } from '../../../../config.ts'
import { endpointFault } from '../../../../integrations/outbound/endpoint-fault.ts'

export type ChannelTarget = contract.AlertChannelTarget
export type ChannelPayload = contract.AlertChannel

/** Reasons why messages cannot be sent to a target, by member; empty if they can. */
export function validateTarget(target: ChannelTarget, config: Config): Record<string, string[]> {
  if (target.kind === 'EMAIL') {
    const isAddress = isEmail(target.address)
    return isAddress ? {} : { 'payload.target.address': ['must be one plain email address'] }
  }
  const fault = endpointFault(target.url, config)
  return fault === null ? {} : { 'payload.target.url': [fault] }
}

const placeText = (organizationId: string, host: string) =>
  `alert-channel|${organizationId}|${host}`

function hostOf(target: ChannelTarget): string {
  if (target.kind === 'EMAIL') return target.address.slice(target.address.lastIndexOf('@') + 1)
  return new URL(target.url).host
}

/** Stored form of a target: the host is plain text, the rest is encrypted for this organization. */
export function keptTarget(
  sealing: Sealing,
  organizationId: string,
  target: ChannelTarget,
): Pick<ChannelPayload, 'kind' | 'target' | 'sealed'> {
  const host = hostOf(target)
  const sealed = sealing.seal(JSON.stringify(target), placeText(organizationId, host))
  return { kind: target.kind, target: host, sealed }
}

/** @throws Error if its sealing key is lost, or if the secret was moved here from another place */
export function openTarget(
  sealing: Sealing,
  organizationId: string,
  { target, sealed }: ChannelPayload,
): ChannelTarget {
  return JSON.parse(sealing.open(sealed, placeText(organizationId, target))) as ChannelTarget
}
