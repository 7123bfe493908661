import { containsExtent } from 'ol/extent.js';
import VectorImageLayer from 'ol/layer/VectorImage.js';
import type { FrameState } from 'ol/Map.js';
import CanvasVectorImageLayerRenderer from 'ol/renderer/canvas/VectorImageLayer.js';

/**
 * Shapes drawn as a picture that is larger than the map, and only moves while the map is dragged or zoomed: drawing
 * them anew for each frame takes longer than a frame. They are drawn anew on the way where the picture ends.
 */
export class MovingImageLayer extends VectorImageLayer {
  override createRenderer() {
    return new MovingImageRenderer(this);
  }
}

/** Neither animated nor dragged. */
const atRest = [0, 0];

class MovingImageRenderer extends CanvasVectorImageLayerRenderer {
  override prepareFrame(frame: FrameState): boolean {
    const drawn = this.image?.getExtent() ?? null;
    const isCovered = drawn !== null && frame.extent !== null && containsExtent(drawn, frame.extent);
    return super.prepareFrame(isCovered ? frame : { ...frame, viewHints: atRest });
  }
}
