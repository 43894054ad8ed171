import { ens_normalize } from '@adraffy/ens-normalize'

/**
 * What is wrong with the letters of a host; null where nothing is. A label of several scripts, or of one whose letters all
 * look like another's, is read as what it is not.
 *
 * @see UTS 39 §5; ENSIP-15, whose tables of confusable letters these are
 */
export default function faultOfScripts({ displayHost }: { displayHost: string }): string | null {
  for (const one of displayHost.split('.')) {
    try {
      ens_normalize(one)
    } catch (error) {
      const detail = error instanceof Error ? error.message.split(':')[0] : 'it is refused'
      return `must not have a label that can be read as another: ${JSON.stringify(one)}, ${detail}`
    }
  }
  return null
}
