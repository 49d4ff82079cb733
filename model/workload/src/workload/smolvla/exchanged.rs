//! What the host gives an inference and takes from it.

use super::SmolVla;
use crate::workload::{Exchanged, InferenceParameters};

/// Bits of a token's number, as tokenizers give it.
const TOKEN_BITS: u32 = 32;

impl SmolVla {
    /// Images as they enter the patch embedding, language tokens, the state, the noise that becomes actions; and the actions.
    pub(crate) fn list_exchanged(&self, p: &InferenceParameters) -> Vec<Exchanged> {
        let mut all = Vec::with_capacity(5);
        if let Ok(vision) = &self.vision {
            let pixels = vision.pixels_per_image();
            all.push(Exchanged::to_card("images", pixels * p.cameras * p.batch));
        }
        if let Ok(embed) = &self.embed {
            let tokens = Exchanged::to_card("language tokens", p.language_tokens * p.batch);
            all.push(Exchanged { bits: Some(TOKEN_BITS), ..tokens });
            if let Some(elements) = embed.state_elements() {
                all.push(Exchanged::to_card("state", elements * p.batch));
            }
        }
        if let Ok(expert) = &self.expert {
            let elements = expert.action_elements() * p.chunk * p.batch;
            all.push(Exchanged::to_card("noise", elements));
            all.push(Exchanged { is_to_card: false, ..Exchanged::to_card("actions", elements) });
        }
        all
    }
}
