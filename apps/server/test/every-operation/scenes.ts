import { partnerScenes } from './partner-scenes.ts'
import { planScenes } from './plan-scenes.ts'
import { platformScenes } from './platform-scenes.ts'
import { projectScenes } from './project-scenes.ts'
import { recordScenes } from './record-scenes.ts'
import type { Scene } from './scene.ts'
import { stressScenes } from './stress-scenes.ts'
import { studyScenes } from './study-scenes.ts'
import { treasuryScenes } from './treasury-scenes.ts'

export const scenes: Readonly<Record<string, Scene>> = {
  ...recordScenes,
  ...platformScenes,
  ...studyScenes,
  ...planScenes,
  ...treasuryScenes,
  ...stressScenes,
  ...projectScenes,
  ...partnerScenes,
}
