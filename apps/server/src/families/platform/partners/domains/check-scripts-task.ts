import { ens_normalize } from '@adraffy/ens-normalize'

/**
 * Error in the characters of a host, or null. Rejects labels of mixed scripts, and labels whose
 * characters all resemble another script.
 *
 * @see UTS 39 §5; ENSIP-15, the source of the confusable tables
 */
export default function faultOfScripts({ displayHost }: { displayHost: string }): string | null {
  for (const one of displayHost.split('.')) {
    try {
      ens_normalize(one)
    } catch (error) {
      const detail = error instanceof Error ? error.message.split(':')[0] : 'it was rejected'
      return `must not have a label that can be mistaken for another: ${JSON.stringify(one)}, ${detail}`
    }
  }
  return null
}
