import { limits } from '../../../limits.ts'
import { codeInWords } from '../../../texts.ts'

/** Kind and measured value, without the statistics: `Excessive turnover: the daily turnover: 755.74 %`. */
export function anomalyTitle(kind: string, explanation: string): string {
  const [measured = ''] = explanation.split(/; |\. (?=[A-Z])/)
  const short = measured.replace(/(?<=\d\.\d\d)\d+(?= %)/g, '').replace(/\.$/, '')
  const text = `${codeInWords(kind)}: ${short.charAt(0).toLowerCase()}${short.slice(1)}`
  return text.slice(0, limits.alertTitleCharacters)
}
